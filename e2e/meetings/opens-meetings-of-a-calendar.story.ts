import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { signUp, standUp } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { clickWhereSeen, isInSight } from '../real-input.ts'
import { startStory } from '../start-story.ts'
import { openMeetingOfDate, scheduleQuietly } from './meetings.ts'

/** A Thursday, during a meeting. */
const now = '2030-01-10T09:00:00Z'

async function setCalendar(options: { locale?: string } = {}) {
  const { app, openPage } = await startStory()
  await signUp(app, 'Olga')
  const alice = await signUp(app, 'Alice')
  const weekdays = { repeat: 'weekly', daysOfWeek: [0, 1, 1, 1, 1, 1, 0], endDate: '2030-01-25T23:59:59Z' }
  const series = await scheduleQuietly(
    alice,
    standUp({
      topic: 'Stand-up',
      startTime: '2030-01-07T12:00:00Z',
      endTime: '2030-01-07T12:30:00Z',
      repeatOptions: { ...weekdays, timeZone: 'Europe/London' },
    }),
  )
  const single = await scheduleQuietly(
    alice,
    standUp({ topic: 'Interview', startTime: '2030-01-10T08:38:00Z', endTime: '2030-01-10T10:00:00Z' }),
  )
  const others = []
  for (const [topic, startTime, endTime] of [
    ['Review', '2030-01-10T14:00:00Z', '2030-01-10T15:00:00Z'],
    ['مراجعة الميزانية السنوية مع فريق المبيعات', '2030-01-08T14:00:00Z', '2030-01-08T15:00:00Z'],
  ] as const)
    others.push(await scheduleQuietly(alice, standUp({ topic, startTime, endTime })))
  const { page } = await openPage({ person: alice, viewport: { width: 1440, height: 900 }, ...options })
  await page.clock.setFixedTime(now)
  return { page, series, single, others }
}

/** Click at the visible centre of an event: its layer opens, and from it its page, from which Back returns to the calendar. */
async function opens(page: Page, seen: Locator, { _id, topic }: { _id: string; topic: string }) {
  const before = page.url()
  await clickWhereSeen(seen)
  const layer = page.getByRole('dialog', { name: topic })
  await layer.getByRole('heading', { name: topic, level: 2 }).waitFor()
  assert.equal(page.url(), before)
  await openMeetingOfDate(page)
  await page.getByRole('heading', { name: topic, level: 1 }).waitFor()
  assert.equal(new URL(page.url()).pathname, `/meetings/${_id}`)
  await page.goBack()
  await page.waitForURL(before)
}

test('a click on a meeting opens it, in the month, the week, the day and the agenda', async () => {
  const { page, series, single, others } = await setCalendar()
  await page.goto('/calendar?view=month&date=2030-01-10')
  await opens(page, page.getByRole('link', { name: /Interview$/ }), single)
  await opens(page, page.getByRole('link', { name: /Stand-up$/ }).nth(6), series)
  await clickWhereSeen(page.getByRole('button', { name: '1 more' }))
  await opens(page, page.getByRole('dialog').getByRole('link', { name: /Review$/ }), others[0])
  await page.goto('/calendar?view=week&date=2030-01-10')
  await opens(page, page.getByRole('link', { name: /Interview$/ }), single)
  await opens(page, page.getByRole('link', { name: /Stand-up$/ }).nth(4), series)
  await page.goto('/calendar?view=day&date=2030-01-10')
  await opens(page, page.getByRole('link', { name: /Interview$/ }), single)
  await page.goto('/calendar?view=agenda&date=2030-01-10')
  await opens(page, page.getByRole('listitem').filter({ hasText: 'Interview' }), single)

  // A later date of the series: the page shows the opened date and the next one.
  await page.goto('/calendar?view=week&date=2030-01-17')
  await clickWhereSeen(page.getByRole('link', { name: /Stand-up$/ }).nth(2))
  await openMeetingOfDate(page)
  await page.getByRole('heading', { name: 'Stand-up', level: 1, exact: true }).waitFor()
  const when = page.getByRole('region', { name: 'When' })
  await when.getByText('The date you opened').waitFor()
  assert.match((await when.textContent()) ?? '', /16 Jan 2030, 12:00–12:30.*Next date.*10 Jan 2030/s)
  await checkPage(page, 'meeting-opened-date')

  // A click on a free slot between them offers to schedule a meeting there.
  await page.goto('/calendar?view=day&date=2030-01-09')
  await clickWhereSeen(page.getByRole('button', { name: /^Schedule a meeting on Wednesday,? 9 January at 10:30$/ }))
  await page.getByRole('dialog', { name: 'New meeting' }).getByText('Wed, 9 Jan 2030, 10:30–11:00').waitFor()
})

test('the whole month fits into the window; a day and a week open at the morning, with the current-time line in front', async () => {
  const { page } = await setCalendar()
  await page.goto('/calendar?view=month')
  for (const date of ['31 December 2029', '10 February 2030'])
    await isInSight(page.getByRole('button', { name: new RegExp(`${date}: schedule`) }))
  await isInSight(page.locator('.mantine-MonthView-monthViewDayLabel[data-today]'))
  await checkPage(page, 'calendar-month-today')

  for (const view of ['week', 'day']) {
    await page.goto(`/calendar?view=${view}`)
    const interview = page.getByRole('link', { name: /Interview$/ })
    await isInSight(interview)
    assert.ok(await isUnderNow(page, interview), `now is drawn in front of the meetings of the ${view}`)
  }
})

/** Whether the current-time line, which ignores clicks, overlaps the running meeting. */
const isUnderNow = async (page: Page, meeting: Locator) => {
  const link = await meeting.elementHandle()
  return page.evaluate((element) => {
    const line = document.querySelector('[class*="currentTimeIndicatorLine"]')
    if (!(line instanceof HTMLElement) || element === null) return false
    for (let box: HTMLElement | null = line; box !== null; box = box.parentElement) box.style.pointerEvents = 'auto'
    const { left, width } = element.getBoundingClientRect()
    const { top, height } = line.getBoundingClientRect()
    return document.elementFromPoint(left + width / 2, top + height / 2) === line
  }, link)
}

for (const locale of ['en-GB', 'ar']) {
  test(`on a phone the week opens at today, next to the hours (${locale})`, async () => {
    const { page } = await setCalendar({ locale })
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/calendar?view=week')
    await isInSight(page.locator('.mantine-WeekView-weekViewDayLabel[data-today]'))
    const interview = page.getByRole('link', { name: /Interview$/ })
    await clickWhereSeen(interview)
    await page.getByRole('dialog', { name: 'Interview' }).waitFor()
  })
}

test('a topic that does not fit is cut off at its end, in both writing directions', async () => {
  for (const locale of ['en-GB', 'ar']) {
    const { page } = await setCalendar({ locale })
    await page.goto('/calendar?view=month&date=2030-01-10')
    const topic = page.getByRole('link', { name: /مراجعة/ }).locator('[dir="auto"]')
    await topic.waitFor()
    const cut = await topic.evaluate((element) => {
      const text = document.createRange()
      text.setStart(element.firstChild as Node, 0)
      text.setEnd(element.firstChild as Node, 1)
      const first = text.getBoundingClientRect()
      const box = element.getBoundingClientRect()
      return {
        isCut: element.scrollWidth > element.clientWidth,
        isFirstSeen: first.right <= box.right + 1 && first.left >= box.left - 1,
      }
    })
    assert.deepEqual(cut, { isCut: true, isFirstSeen: true }, locale)
  }
})

test('the agenda opens at today, and “Today” leads back to it', async () => {
  const { page } = await setCalendar()
  await page.setViewportSize({ width: 390, height: 500 })
  await page.goto('/calendar')
  const today = page.getByRole('region', { name: /^Thursday.*10 January/ })
  await today.getByText('Today', { exact: true }).waitFor()
  await isInSight(today.getByRole('heading'))
  await page.evaluate('window.scrollTo(0, 0)')
  await page.getByRole('button', { name: 'Today' }).click()
  await isInSight(today.getByRole('heading'))
  await checkPage(page, 'calendar-agenda-today')
})
