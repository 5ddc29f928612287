import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { detailsPath, meetPeople, type Person, standUp, weekdays } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { startStory } from '../start-story.ts'
import { scheduleQuietly } from './meetings.ts'

const { app, openPage } = await startStory({}, { emails: 'dropped' })
const { alice, bob } = await meetPeople(app)

const minutesInDay = 24 * 60
/** Steps of the mouse on its way. */
const steps = 8
/** A page scrolls on for less than this. */
const scrollsForMs = 500

type Meeting = { _id: string }

/** The dates of the first days of 2030, such as `01-07 09:00–09:30`. */
async function datesOf(person: Person, meeting: Meeting, limit = 3): Promise<string[]> {
  const query = `from=2030-01-01T00:00:00Z&to=2031-01-01T00:00:00Z&limit=${limit}`
  const { body } = await person.send('GET', `${detailsPath(meeting)}/occurrences?${query}`)
  return body.occurrences.map(
    ({ startTime, endTime }: Record<string, string>) =>
      `${startTime?.slice(5, 16).replace('T', ' ')}–${endTime?.slice(11, 16)}`,
  )
}

/** Drag by days and minutes in the week, without releasing. */
async function drag(page: Page, date: Locator, { days = 0, minutes = 0 }: { days?: number; minutes?: number }) {
  const columns = page.locator('.mantine-WeekView-weekViewDaySlots, .mantine-DayView-dayViewTimeSlots')
  const [column, box] = [await columns.first().boundingBox(), await date.boundingBox()]
  assert.ok(column !== null && box !== null)
  const mirrored = (await page.evaluate(() => document.dir)) === 'rtl' ? -1 : 1
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  const to = { x: x + mirrored * days * column.width, y: y + (minutes * column.height) / minutesInDay }
  await page.mouse.move(to.x, to.y, { steps })
}
const linkTo = (page: Page, topic: string) => page.getByRole('link', { name: new RegExp(`${topic}$`) })
const dialogOn = (page: Page, topic: string) => page.getByRole('dialog', { name: `Move “${topic}”?` })

const single = () =>
  standUp({
    topic: 'Interview',
    startTime: '2030-01-08T10:05:00Z',
    endTime: '2030-01-08T11:00:00Z',
    participants: [],
  })
const series = (changes: object = {}) => weekdays({ participants: [bob.email], ...changes })
const mondays = { repeat: 'weekly', daysOfWeek: [0, 1, 0, 0, 0, 0, 0], timeZone: 'Europe/London' }

test('Alice drags a meeting of her own to another day and time, and undoes it', async () => {
  const meeting = await scheduleQuietly(alice, single())
  const { page } = await openPage({ person: alice, viewport: { width: 1440, height: 900 } })
  await page.goto('/calendar?view=week&date=2030-01-08')
  const date = linkTo(page, 'Interview')
  await date.waitFor()
  await drag(page, date, { days: 1, minutes: 68 })
  await date.getByText('11:15').waitFor()
  await page.screenshot({ path: 'e2e/screenshots/calendar-dragging.png' })
  await page.mouse.up()
  await page.getByText('“Interview” is moved: Wed, 9 Jan 2030, 11:15–12:10.').waitFor()
  assert.deepEqual(await datesOf(alice, meeting), ['01-09 11:15–12:10'])
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('“Interview” is back at its former time.').waitFor()
  assert.deepEqual(await datesOf(alice, meeting), ['01-08 10:05–11:00'])

  // Escape puts it back, and neither the drag nor a click on it schedules or opens anything else.
  await drag(page, date, { days: 2 })
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await date.getByText('10:05').waitFor()
  assert.deepEqual(await datesOf(alice, meeting), ['01-08 10:05–11:00'])
  assert.equal(new URL(page.url()).pathname, '/calendar')
  await date.click()
  await page.getByRole('dialog', { name: 'Interview' }).waitFor()
})

test('a date of a series asks which dates to move; another time of day moves all, and not the start', async () => {
  const meeting = await scheduleQuietly(alice, series({ topic: 'Planning' }))
  const busy = { topic: 'Dentist', startTime: '2030-01-15T10:15:00Z', endTime: '2030-01-15T11:00:00Z' }
  await scheduleQuietly(alice, standUp({ ...busy, participants: [] }))
  const { page } = await openPage({ person: alice, viewport: { width: 1440, height: 900 } })
  await page.goto('/calendar?view=week&date=2030-01-14')
  const dates = linkTo(page, 'Planning')
  await dates.nth(4).waitFor()
  await drag(page, dates.nth(1), { minutes: 60 })
  await page.mouse.up()
  const dialog = dialogOn(page, 'Planning')
  await dialog.getByText('Dentist · 10:15–11:00').waitFor()
  await dialog.getByText('Before: Tue, 15 Jan 2030, 09:00–09:30').waitFor()
  await dialog.getByText('New time: Tue, 15 Jan 2030, 10:00–10:30').waitFor()
  await checkPage(page, 'calendar-move-question')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  assert.equal(await page.getByRole('link', { name: /9:00 Planning$/ }).count(), 5)

  await drag(page, dates.nth(1), { minutes: 60 })
  await page.mouse.up()
  await dialog.getByLabel('Only this date').check()
  await dialog.getByRole('button', { name: 'Move' }).click()
  await page.getByText('“Planning” is moved: Tue, 15 Jan 2030, 10:00–10:30.').waitFor()
  const moved = await datesOf(alice, meeting, 9)
  assert.deepEqual([moved[0], moved[6], moved[7]], ['01-07 09:00–09:30', '01-15 10:00–10:30', '01-16 09:00–09:30'])

  await drag(page, dates.nth(3), { minutes: -30 })
  await page.mouse.up()
  await dialog.getByLabel('All dates').check()
  await dialog.getByRole('button', { name: 'Move' }).click()
  await page.getByText('“Planning” is moved: Thu, 17 Jan 2030, 08:30–09:00.').waitFor()
  const all = await datesOf(alice, meeting, 9)
  assert.deepEqual([all[0], all[6], all[7]], ['01-07 08:30–09:00', '01-15 10:00–10:30', '01-16 08:30–09:00'])
})

test('a date stays between its neighbours: it is put back, with the reason', async () => {
  const meeting = await scheduleQuietly(alice, series({ topic: 'Daily' }))
  const { page } = await openPage({ person: alice, viewport: { width: 1440, height: 900 }, expected: /status of 400/ })
  await page.goto('/calendar?view=week&date=2030-01-14')
  const dates = linkTo(page, 'Daily')
  await dates.nth(4).waitFor()
  await drag(page, dates.nth(1), { days: 1 })
  await page.mouse.up()
  const dialog = dialogOn(page, 'Daily')
  await dialog.getByText('To change the days of more dates than this one, edit the series.').waitFor()
  assert.equal(await dialog.getByRole('radio').count(), 0)
  await dialog.getByRole('button', { name: 'Move' }).click()
  await page
    .getByText('“Daily” was not moved. One date of a series stays between the date before and the date')
    .waitFor()
  assert.equal(await page.getByRole('link', { name: /09:00 Daily$/ }).count(), 5)
  assert.equal((await datesOf(alice, meeting, 9))[6], '01-15 09:00–09:30')
})

test('a series on one day of the week is moved to another day, in the month', async () => {
  const march = { startTime: '2030-03-04T09:00:00Z', endTime: '2030-03-04T09:30:00Z' }
  const meeting = await scheduleQuietly(alice, series({ topic: 'Review', repeatOptions: mondays, ...march }))
  const { page } = await openPage({ person: alice, viewport: { width: 1440, height: 900 } })
  await page.goto('/calendar?view=month&date=2030-03-14')
  const dates = linkTo(page, 'Review')
  await dates.nth(1).waitFor()
  const box = await dates.nth(1).boundingBox()
  assert.ok(box !== null)
  await page.mouse.move(box.x + 20, box.y + 8)
  await page.mouse.down()
  await page.mouse.move(box.x + 20 + 2 * box.width, box.y + 8, { steps })
  await page.mouse.up()
  const dialog = dialogOn(page, 'Review')
  await dialog.getByText('New time: Wed, 13 Mar 2030, 09:00–09:30').waitFor()
  await dialog.getByLabel('All dates').check()
  await dialog.getByLabel('Notify participants of the change').uncheck()
  await dialog.getByRole('button', { name: 'Move' }).click()
  await page.getByText('“Review” is moved: Wed, 13 Mar 2030, 09:00–09:30.').waitFor()
  assert.deepEqual(await datesOf(alice, meeting), ['03-06 09:00–09:30', '03-13 09:00–09:30', '03-20 09:00–09:30'])
})

test('by keyboard alone: Space takes a date, the arrow keys move it, Enter confirms, Escape puts it back', async () => {
  const meeting = await scheduleQuietly(alice, { ...single(), topic: 'Retro' })
  const { page } = await openPage({ person: alice, viewport: { width: 1440, height: 900 } })
  await page.goto('/calendar?view=week&date=2030-01-08')
  const date = linkTo(page, 'Retro')
  await date.focus()
  const isFocused = () => date.evaluate((link) => link === document.activeElement)
  await page.keyboard.press('Space')
  const bar = page.getByRole('application', { name: 'Move “Retro”' })
  await bar.waitFor()
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key)
  await bar.getByText('Wed, 9 Jan 2030, 10:30–11:25').waitFor()
  await checkPage(page, 'calendar-move-by-keys')
  await page.keyboard.press('Escape')
  await bar.waitFor({ state: 'hidden' })
  await date.getByText('10:05').waitFor()
  await page.waitForFunction(() => document.activeElement?.textContent?.endsWith('Retro'))
  assert.equal(await isFocused(), true)

  // Past the end of the week, the calendar follows.
  await page.keyboard.press('Space')
  for (let days = 0; days < 6; days++) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowUp')
  await page.getByRole('heading', { name: /^14\s?–\s?20 January 2030$/ }).waitFor()
  await bar.getByText('Mon, 14 Jan 2030, 10:00–10:55').waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('“Retro” is moved: Mon, 14 Jan 2030, 10:00–10:55.').waitFor()
  assert.deepEqual(await datesOf(alice, meeting), ['01-14 10:00–10:55'])
  await page.waitForFunction(() => document.activeElement?.textContent?.endsWith('Retro'))
})

/** Where dates are drawn when they begin to glide, from the left and from the top. */
async function glidesOn(page: Page) {
  await page.evaluate(() => {
    const glides: number[][] = []
    Object(globalThis).glides = glides
    addEventListener('animationstart', ({ target }) => {
      if (!(target instanceof HTMLElement) || target.dataset.gliding === undefined) return
      for (const animation of target.getAnimations()) animation.currentTime = 0
      const { left, top } = target.getBoundingClientRect()
      glides.push([Math.round(left), Math.round(top)])
    })
  })
  return () => page.evaluate(() => Object(globalThis).glides.splice(0) as number[][])
}

test('a date glides from where it was when it is moved by keys or put back, also in a mirrored month, and not by itself', async () => {
  // Days without other meetings, of which a month shows two.
  const times = { startTime: '2031-01-08T10:05:00Z', endTime: '2031-01-08T11:00:00Z' }
  await scheduleQuietly(alice, { ...single(), topic: 'Kickoff', ...times })
  for (const { locale, query } of [
    { locale: 'en-GB', query: 'view=week&date=2031-01-08' },
    { locale: 'ar', query: 'view=month&date=2031-01-08' },
  ]) {
    const reducedMotion = 'no-preference'
    const { page } = await openPage({ person: alice, viewport: { width: 1440, height: 900 }, locale, reducedMotion })
    await page.goto(`/calendar?${query}`)
    const date = page.locator('a[data-date]').filter({ hasText: 'Kickoff' })
    await date.waitFor()
    const glides = await glidesOn(page)
    const corner = async () => {
      const box = await date.boundingBox()
      assert.ok(box !== null)
      return [Math.round(box.x), Math.round(box.y)]
    }
    const start = await corner()
    await date.focus()
    await page.keyboard.press('Space')
    await page.getByRole('application').waitFor()
    assert.deepEqual(await glides(), [])
    await page.keyboard.press('ArrowRight')
    await page.waitForFunction(() => Object(globalThis).glides.length === 1)
    assert.deepEqual(await glides(), [start])
    await page.waitForFunction(() => document.getAnimations().length === 0)
    const moved = await corner()
    assert.notDeepEqual(moved, start)
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => Object(globalThis).glides.length === 1)
    assert.deepEqual(await glides(), [moved])
    await page.waitForFunction(() => document.getAnimations().length === 0)
    assert.deepEqual(await corner(), start)
  }
})

test('what another person hosts cannot be moved', async () => {
  const meeting = await scheduleQuietly(alice, series({ topic: 'Lecture' }))
  const { page } = await openPage({ person: bob, viewport: { width: 1440, height: 900 } })
  await page.goto('/calendar?view=week&date=2030-01-08')
  const date = linkTo(page, 'Lecture').nth(1)
  await date.waitFor()
  assert.equal(await date.getAttribute('aria-keyshortcuts'), null)
  assert.match((await date.getAttribute('title')) ?? '', /You have not answered · Only the host can move it$/)
  await drag(page, date, { minutes: 60 })
  await page.mouse.up()
  await page.getByText('Only the host can move it', { exact: true }).waitFor()
  await date.focus()
  await page.keyboard.press('Space')
  assert.equal(await page.getByRole('application').count(), 0)
  assert.equal(await page.getByRole('dialog').count(), 0)
  assert.equal((await datesOf(alice, meeting))[1], '01-08 09:00–09:30')
})

test('the lower edge of a date is dragged to change its length, and by keys with Shift; it is asked and undone like a move', async () => {
  const busy = { topic: 'Dentist', startTime: '2030-01-21T10:15:00Z', endTime: '2030-01-21T11:00:00Z' }
  await scheduleQuietly(alice, standUp({ ...busy, participants: [] }))
  const times = { startTime: '2030-01-21T09:00:00Z', endTime: '2030-01-21T10:00:00Z' }
  const meeting = await scheduleQuietly(alice, standUp({ topic: 'Sprint', ...times, participants: [bob.email] }))
  const { page } = await openPage({ person: alice, viewport: { width: 1440, height: 900 } })
  const requests: string[] = []
  page.on('request', (request) => request.method() === 'PUT' && requests.push(request.url()))
  await page.goto('/calendar?view=week&date=2030-01-21')
  const date = linkTo(page, 'Sprint')
  await date.waitFor()
  await drag(page, date.locator('[data-end]'), { minutes: 30 })
  await page.mouse.up()
  const dialog = page.getByRole('dialog', { name: 'Change the length of “Sprint”?' })
  await dialog.getByText('Dentist · 10:15–11:00').waitFor()
  await dialog.getByText('New time: Mon, 21 Jan 2030, 09:00–10:30').waitFor()
  await checkPage(page, 'calendar-length-question')
  await dialog.getByRole('button', { name: 'Change the length' }).dblclick()
  await page.getByText('“Sprint” has another length: Mon, 21 Jan 2030, 09:00–10:30.').waitFor()
  assert.deepEqual(await datesOf(alice, meeting), ['01-21 09:00–10:30'])
  assert.equal(requests.length, 1)

  const { promise: readAgain, resolve: readNow } = Promise.withResolvers<void>()
  await page.route('**/api/meeting/calendar/**', async (route) => {
    await readAgain
    await route.continue()
  })
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('“Sprint” is back at its former time.').waitFor()
  assert.deepEqual(await datesOf(alice, meeting), ['01-21 09:00–10:00'])

  // Before the calendar has been read again.
  await date.focus()
  await page.keyboard.press('Space')
  const bar = page.getByRole('application', { name: 'Move “Sprint”' })
  await bar.waitFor()
  for (const key of ['Shift+ArrowUp', 'Shift+ArrowUp', 'Shift+ArrowDown']) await page.keyboard.press(key)
  await bar.getByText('Mon, 21 Jan 2030, 09:00–09:45').waitFor()
  readNow()
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Change the length' }).click()
  await page.getByText('“Sprint” has another length: Mon, 21 Jan 2030, 09:00–09:45.').waitFor()
  assert.deepEqual(await datesOf(alice, meeting), ['01-21 09:00–09:45'])
})

test('in Arabic a date is dragged and moved by keys in the direction of the screen', async () => {
  const meeting = await scheduleQuietly(alice, { ...single(), topic: 'Budget' })
  const { page } = await openPage({ person: alice, viewport: { width: 1440, height: 900 }, locale: 'ar' })
  await page.goto('/calendar?view=week&date=2030-01-08')
  const date = linkTo(page, 'Budget')
  await date.waitFor()
  await drag(page, date, { days: 1 })
  await page.mouse.up()
  await page.getByRole('status').getByText('نُقل').waitFor()
  assert.deepEqual(await datesOf(alice, meeting), ['01-09 10:05–11:00'])
  await page.waitForFunction(() => document.activeElement?.textContent?.endsWith('Budget'))
  await page.keyboard.press('Space')
  await page.getByRole('application').waitFor()
  await page.keyboard.press('ArrowLeft')
  await checkPage(page, 'calendar-move-by-keys-ar')
  await page.keyboard.press('Enter')
  await page.getByRole('application').waitFor({ state: 'hidden' })
  await page.waitForFunction(() => document.activeElement?.textContent?.endsWith('Budget'))
  assert.deepEqual(await datesOf(alice, meeting), ['01-10 10:05–11:00'])
})

test('on a touch screen a finger on a date scrolls the hours, and one that rests takes the date', async () => {
  const meeting = await scheduleQuietly(alice, { ...single(), topic: 'Workshop' })
  const { page, context } = await openPage({ person: alice, viewport: { width: 390, height: 740 }, hasTouch: true })
  await page.goto('/calendar?view=day&date=2030-01-08')
  const date = linkTo(page, 'Workshop')
  await date.scrollIntoViewIfNeeded()
  const box = await date.boundingBox()
  assert.ok(box !== null)
  const scrolled = () =>
    page
      .locator('.mantine-ScrollArea-viewport')
      .first()
      .evaluate((element) => element.scrollTop + scrollY)
  const before = await scrolled()
  const finger = await context.newCDPSession(page)
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
  for (let way = 10; way <= 120; way += 10)
    await finger.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x, y: y - way }] })
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await page.waitForTimeout(scrollsForMs)
  assert.ok((await scrolled()) > before)
  assert.equal(await page.getByRole('dialog').count(), 0)
  await date.getByText('Workshop').waitFor()

  // The head of the day covers what was scrolled up.
  await date.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const after = await date.boundingBox()
  assert.ok(after !== null)
  const at = (way: number) => [{ x, y: after.y + after.height / 2 + way }]
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) })
  await page.locator('[data-moving]').waitFor()
  for (let way = 8; way <= 64; way += 8)
    await finger.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(way) })
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await page.getByText(/^“Workshop” is moved: .*11:00–11:55\.$/).waitFor()
  assert.deepEqual(await datesOf(alice, meeting), ['01-08 11:00–11:55'])
})
