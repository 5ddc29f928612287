import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { meetPeople, standUp } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { isInSight } from '../real-input.ts'
import { startStory } from '../start-story.ts'
import { scheduleQuietly } from './meetings.ts'

const { app, openPage } = await startStory({}, { emails: 'dropped' })
const { alice } = await meetPeople(app)
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }

for (const [topic, startTime, endTime] of [
  ['Interview', '2030-01-10T10:00:00Z', '2030-01-10T11:00:00Z'],
  ['Review', '2030-01-10T14:00:00Z', '2030-01-10T15:00:00Z'],
  ['Kick-off', '2030-02-05T09:00:00Z', '2030-02-05T09:30:00Z'],
] as const)
  await scheduleQuietly(alice, standUp({ topic, startTime, endTime }))

/** Swipe over the middle of the calendar with a finger. */
async function swipe(page: Page, pixels: number) {
  const finger = await page.context().newCDPSession(page)
  const [x, y] = [200, 420]
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
  for (let step = 1; step <= 6; step++)
    await finger.send('Input.dispatchTouchEvent', {
      type: 'touchMove',
      touchPoints: [{ x: x + (pixels * step) / 6, y: y + step }],
    })
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

test('the month has dots, and lists the dates of the chosen day; a swipe shows another month, and the view is kept', async () => {
  const { page } = await openPage({ person: alice, ...phone })
  await page.clock.setFixedTime('2030-01-08T09:00:00Z')
  await page.goto('/calendar')
  await page.getByRole('button', { name: 'More of the calendar' }).click()
  await page.getByRole('menuitemradio', { name: 'Month' }).click()
  await page.getByRole('heading', { name: 'Jan 2030', level: 2 }).waitFor()
  await page.getByText('No meetings on this day').waitFor()
  const day = page.getByRole('button', { name: /^Thursday,? 10 January 2030.*2 meetings$/ })
  const box = await day.boundingBox()
  assert.ok(box !== null && box.width >= 44 && box.height >= 44)
  await day.tap()
  const list = page.getByRole('region', { name: /^Thursday,? 10 January 2030$/ })
  await list.getByRole('link', { name: 'Interview' }).waitFor()
  await isInSight(list.getByRole('link', { name: 'Review' }))
  await page.getByRole('button', { name: 'More of the calendar' }).tap()
  await page.getByRole('menuitemcheckbox', { name: 'Week numbers' }).tap()
  await page.getByRole('rowheader', { name: /^Week 2/ }).waitFor()
  await page.keyboard.press('Escape')
  await checkPage(page, 'calendar-phone-month')
  await list.getByRole('link', { name: 'Interview' }).tap()
  await page.getByRole('dialog', { name: 'Interview' }).getByRole('button', { name: 'Close' }).tap()

  await swipe(page, -140)
  await page.getByRole('heading', { name: 'Feb 2030', level: 2 }).waitFor()
  await page.getByRole('button', { name: /^Tuesday,? 5 February 2030.*1 meeting$/ }).waitFor()
  await swipe(page, 140)
  await page.getByRole('heading', { name: 'Jan 2030', level: 2 }).waitFor()
  // At once: Chromium drops a tap that follows a fling.
  await page.getByRole('button', { name: 'Today' }).tap()
  await page.getByRole('region', { name: /^Tuesday,? 8 January 2030$/ }).waitFor()

  // The navigation leads back to the same view.
  await page.getByRole('link', { name: 'Meetings' }).tap()
  await page.getByRole('heading', { name: 'Meetings', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Calendar' }).tap()
  await page.getByRole('region', { name: /^Tuesday,? 8 January 2030$/ }).waitFor()
})

test('Back closes the sheet of a date and the navigation, and then leaves the page', async () => {
  const { page } = await openPage({ person: alice, ...phone })
  await page.clock.setFixedTime('2030-01-10T09:00:00Z')
  await page.goto('/meetings')
  await page.getByRole('navigation').getByRole('link', { name: 'Calendar' }).tap()
  // The list of meetings has a link of this name as well.
  await page.getByRole('button', { name: 'More of the calendar' }).waitFor()
  const date = page.getByRole('link', { name: /Interview$/ }).first()
  for (const leave of [
    async () => {
      await date.tap()
      await page.getByRole('dialog', { name: 'Interview' }).waitFor()
    },
    async () => {
      await page.getByRole('button', { name: 'More', exact: true }).tap()
      await page.getByRole('dialog', { name: 'Parley' }).waitFor()
    },
  ]) {
    await leave()
    await page.evaluate(() => history.back())
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await date.waitFor()
    assert.equal(new URL(page.url()).pathname, '/calendar')
  }
  await page.evaluate(() => history.back())
  await page.getByRole('heading', { name: 'Meetings', level: 1 }).waitFor()

  // On the first page of a tab, which has nothing to go back to, the browser tells its watcher.
  await page.addInitScript(() => {
    Object(window).CloseWatcher = class extends Object(window).CloseWatcher {
      constructor() {
        super()
        Object(window).newestWatcher = this
      }
    }
  })
  await page.goto('/calendar')
  await date.tap()
  await page.getByRole('dialog', { name: 'Interview' }).waitFor()
  await page.evaluate(() => Object(window).newestWatcher.requestClose())
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await date.waitFor()
})

test('the whole week fits on a phone, and a swipe shows the next one; in Arabic the other way', async () => {
  for (const { locale, towards } of [
    { locale: 'en-GB', towards: -140 },
    { locale: 'ar', towards: 140 },
  ]) {
    const { page } = await openPage({ person: alice, ...phone, locale })
    await page.goto('/calendar?view=week&date=2030-01-08')
    const days = page.locator('.mantine-WeekView-weekViewDayLabel')
    await days.nth(6).waitFor()
    for (const place of [0, 6]) await isInSight(days.nth(place))
    await page.getByRole('link', { name: /Interview$/ }).waitFor()
    await swipe(page, towards)
    await page.waitForURL(/date=2030-01-15/)
    await checkPage(page, `calendar-phone-week-${locale}`)
  }
})

test('on the narrowest phones a finger moves the week sideways, and the week stays', async () => {
  const { page } = await openPage({ person: alice, ...phone, viewport: { width: 360, height: 844 } })
  await page.goto('/calendar?view=week&date=2030-01-08')
  await page.getByRole('link', { name: /Interview$/ }).waitFor()
  const scrolled = () =>
    page.evaluate(() => Math.max(...[...document.querySelectorAll('*')].map(({ scrollLeft }) => scrollLeft)))
  assert.equal(await scrolled(), 0)
  await swipe(page, -140)
  await page.waitForFunction(() => [...document.querySelectorAll('*')].some(({ scrollLeft }) => scrollLeft > 0))
  assert.match(page.url(), /date=2030-01-08/)
})

test('the agenda marks today also when it has no meetings', async () => {
  const { page } = await openPage({ person: alice, ...phone })
  await page.clock.setFixedTime('2030-01-08T09:00:00Z')
  await page.goto('/calendar?view=agenda')
  const today = page.getByRole('region', { name: /^Tuesday,? 8 January 2030$/ })
  await today.getByText('Today', { exact: true }).waitFor()
  await today.getByText('No meetings on this day').waitFor()
  await checkPage(page, 'calendar-phone-agenda')
})
