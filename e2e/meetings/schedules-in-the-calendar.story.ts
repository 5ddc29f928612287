import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { meetPeople, type Person } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { startStory } from '../start-story.ts'

const { app, openPage } = await startStory({}, { emails: 'dropped' })
const { alice, bob } = await meetPeople(app)
const desktop = { viewport: { width: 1440, height: 900 } }

/** A point in the column of a day of the week, at an hour. */
async function placeOf(page: Page, column: number, hour: number) {
  const box = await page.locator('.mantine-WeekView-weekViewDaySlots').nth(column).boundingBox()
  assert.ok(box !== null)
  return { x: box.x + box.width / 2, y: box.y + (box.height * hour) / 24 }
}

async function meetingsOf(person: Person): Promise<string[]> {
  const range = 'fromDate=2030-01-14T00:00:00Z&toDate=2030-01-21T00:00:00Z'
  const { body } = await person.send('GET', `/api/meeting/calendar/me?${range}`)
  return body.occurrences.map(
    ({ topic, startTime, endTime }: Record<string, string>) =>
      `${topic} ${startTime?.slice(5, 16)}–${endTime?.slice(11, 16)}`,
  )
}

test('Alice drags over free time, names the meeting and a guest, and it is scheduled', async () => {
  const { page } = await openPage({ person: alice, ...desktop })
  await page.goto('/calendar?view=week&date=2030-01-14')
  await page.locator('.mantine-WeekView-weekViewDaySlots').nth(6).waitFor()
  const [from, to] = [await placeOf(page, 2, 10.1), await placeOf(page, 2, 11.4)]
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 6 })
  await page.getByText('10:00–11:30', { exact: true }).waitFor()
  await page.mouse.up()
  const layer = page.getByRole('dialog', { name: 'New meeting' })
  await layer.getByText('Wed, 16 Jan 2030, 10:00–11:30').waitFor()
  await layer.getByRole('button', { name: 'Schedule' }).click()
  await layer.getByText('Say what the meeting is about.').waitFor()
  await checkPage(page, 'calendar-new-meeting')
  await page.setViewportSize(desktop.viewport)
  await layer.getByRole('textbox', { name: 'Topic' }).fill('Kick-off')
  await layer.getByLabel('Participants').fill(bob.email)
  await page.keyboard.press('Enter')
  await layer.getByRole('button', { name: 'Schedule' }).click()
  await page.getByText('“Kick-off” is scheduled.').waitFor()
  await page.getByRole('link', { name: /Kick-off$/ }).waitFor()
  assert.deepEqual(await meetingsOf(bob), ['Kick-off 01-16T10:00–11:30'])

  // Escape ends a drag, and a click beside an open layer only closes it.
  await page.mouse.move(from.x - 160, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x - 160, to.y, { steps: 6 })
  await page.keyboard.press('Escape')
  await page.mouse.up()
  assert.equal(await page.getByRole('dialog').count(), 0)
  await page.getByRole('link', { name: /Kick-off$/ }).click()
  await page.getByRole('dialog', { name: 'Kick-off' }).waitFor()
  const free = await placeOf(page, 0, 10.1)
  await page.mouse.click(free.x, free.y)
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
})

test('by keyboard alone, Alice chooses a free time and goes on in the form, which has what she typed', async () => {
  const { page } = await openPage({ person: alice, ...desktop })
  await page.goto('/calendar?view=month&date=2030-01-14')
  const free = page.getByRole('button', { name: /^Monday,? 14 January 2030: schedule a meeting$/ })
  await free.focus()
  await page.keyboard.press('Enter')
  const layer = page.getByRole('dialog', { name: 'New meeting' })
  await layer.getByText('Mon, 14 Jan 2030, 09:00–09:30').waitFor()
  await layer.getByRole('textbox', { name: 'Topic' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('Board meeting')
  await page.keyboard.press('Escape')
  await layer.waitFor({ state: 'hidden' })
  // The focus returns with the next frame.
  await free.and(page.locator(':focus')).waitFor()
  // What was typed waits for the same time.
  await page.keyboard.press('Enter')
  assert.equal(await layer.getByRole('textbox', { name: 'Topic' }).inputValue(), 'Board meeting')
  await layer.getByRole('button', { name: 'More options' }).click()
  await page.waitForURL(/\/meetings\/new\?start=2030-01-14T09%3A00%3A00.000Z/)
  assert.equal(await page.getByRole('textbox', { name: 'Topic' }).inputValue(), 'Board meeting')
  // What was typed a moment ago is no news; after a reload it is.
  assert.equal(await page.getByText('Your draft is back').count(), 0)
  await page.getByRole('textbox', { name: 'Description' }).fill('Agenda')
  await page.reload()
  await page.getByText('Your draft is back').waitFor()
})

test('on a touch screen a finger that rests chooses a time, and one that moves scrolls', async () => {
  const { page, context } = await openPage({ person: bob, viewport: { width: 390, height: 740 }, hasTouch: true })
  await page.goto('/calendar?view=day&date=2030-01-18')
  const slotAt = (time: string) =>
    page.getByRole('button', { name: new RegExp(`^Schedule a meeting on Friday,? 18 January at ${time}$`) })
  await slotAt('09:00').scrollIntoViewIfNeeded()
  const box = await slotAt('09:00').boundingBox()
  assert.ok(box !== null)
  const finger = await context.newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove', y: number) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints: [{ x: box.x + box.width / 2, y }] })
  const release = () => finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await touch('touchStart', box.y + 5)
  for (let way = 10; way <= 60; way += 10) await touch('touchMove', box.y + 5 - way)
  await release()
  assert.equal(await page.getByRole('dialog').count(), 0)
  // The head of the day covers what was scrolled up, so the next slot that is surely in sight is chosen.
  const after = await slotAt('10:00').boundingBox()
  assert.ok(after !== null)
  await touch('touchStart', after.y + 5)
  await page.getByText('10:00–10:30', { exact: true }).waitFor()
  for (let way = 10; way <= 2 * after.height + 10; way += 10) await touch('touchMove', after.y + 5 + way)
  await release()
  await page.getByRole('dialog', { name: 'New meeting' }).getByText('Fri, 18 Jan 2030, 10:00–11:').waitFor()
})
