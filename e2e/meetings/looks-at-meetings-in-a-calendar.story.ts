import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signUp, standUp } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { startStory } from '../start-story.ts'
import { openMeetingOfDate, scheduleQuietly } from './meetings.ts'

/** The calendar's limit. */
const maxDates = 1000

test('Alice views January 2030 by month, week, day and agenda, and schedules in a free slot', async () => {
  const { app, openPage } = await startStory()
  await signUp(app, 'Olga')
  const alice = await signUp(app, 'Alice')
  const weekdays = { repeat: 'weekly', daysOfWeek: [0, 1, 1, 1, 1, 1, 0], endDate: '2030-01-25T23:59:59Z' }
  const series = await scheduleQuietly(alice, standUp({ repeatOptions: { ...weekdays, timeZone: 'Europe/London' } }))
  for (const [topic, startTime, endTime] of [
    ['Planning', '2030-01-09T10:00:00Z', '2030-01-09T11:30:00Z'],
    ['Interview', '2030-01-09T10:30:00Z', '2030-01-09T11:00:00Z'],
    ['Review', '2030-01-09T14:00:00Z', '2030-01-09T15:00:00Z'],
    ['Night shift', '2030-01-10T22:00:00Z', '2030-01-11T02:00:00Z'],
  ] as const)
    await scheduleQuietly(alice, standUp({ topic, startTime, endTime }))
  const { page } = await openPage({ person: alice })

  await page.goto('/calendar?view=month&date=2030-01-07')
  await page.getByRole('heading', { name: 'January 2030', exact: true }).waitFor()
  await page.getByRole('link', { name: '9:00 Stand-up' }).first().waitFor()
  assert.equal(await page.getByRole('link', { name: /Stand-up$/ }).count(), 15)
  await checkPage(page, 'calendar-month')
  await page.getByRole('button', { name: '2 more' }).click()
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /Review$/ })
    .waitFor()
  await page.keyboard.press('Escape')

  await page.getByText('Week', { exact: true }).click()
  await page.waitForURL(/view=week/)
  await page.getByRole('heading', { name: /^7\s?–\s?13 January 2030$/ }).waitFor()
  await page
    .getByRole('link', { name: /Night shift$/ })
    .first()
    .waitFor()
  await checkPage(page, 'calendar-week')
  await page.getByText('Day', { exact: true }).click()
  await page.getByRole('heading', { name: /^Monday,? 7 January 2030$/, level: 2 }).waitFor()
  await checkPage(page, 'calendar-day')

  await page.getByRole('button', { name: 'More of the calendar' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Week numbers' }).click()
  await page.keyboard.press('Escape')
  await page.getByText('Week 2', { exact: true }).waitFor()
  await checkPage(page, 'calendar-day-number')
  await page.getByText('Month', { exact: true }).click()
  await page.getByRole('button', { name: 'Week 5', exact: true }).waitFor()
  await checkPage(page, 'calendar-month-numbers')
  await page.getByRole('button', { name: 'Week 1', exact: true }).click()
  await page.getByRole('heading', { name: /^31 December 2029\s?–\s?6 January 2030$/ }).waitFor()
  await page.getByText('Week 1', { exact: true }).waitFor()
  await checkPage(page, 'calendar-week-number')

  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('button', { name: 'More of the calendar' }).click()
  await page.getByRole('menuitem', { name: 'Second time zone' }).click()
  await page.getByRole('combobox', { name: 'Time zone' }).fill('india')
  await page.getByRole('option', { name: 'Asia/Kolkata', exact: true }).click()
  const kolkata = page.getByRole('list', { name: 'Times in Kolkata' })
  assert.equal(await kolkata.getByRole('listitem').nth(9).textContent(), '14:30')
  await page.reload()
  await kolkata.waitFor()
  await checkPage(page, 'calendar-week-zones')
  await page.goto('/calendar?view=day&date=2030-01-07')
  await page.getByText('Week 2', { exact: true }).waitFor()
  await kolkata.waitFor()
  await checkPage(page, 'calendar-day-zones')
  await page.getByRole('button', { name: 'More of the calendar' }).click()
  await page.getByRole('menuitem', { name: 'Hide the times in Kolkata' }).click()
  await kolkata.waitFor({ state: 'detached' })
  await page.getByText('Agenda', { exact: true }).click()
  await page.getByRole('heading', { name: /^Wednesday,? 9 January 2030$/ }).waitFor()
  await checkPage(page, 'calendar-agenda')

  await page.getByRole('link', { name: 'Stand-up' }).first().click()
  await openMeetingOfDate(page)
  await page.getByRole('heading', { name: 'Stand-up', level: 1, exact: true }).waitFor()
  assert.equal(new URL(page.url()).pathname, `/meetings/${series._id}`)
  await page.goBack()

  // By keyboard alone: the month, the next one, and a free day in it.
  await page.getByRole('heading', { name: 'Calendar', level: 1 }).click()
  await page.keyboard.press('m')
  await page.getByRole('heading', { name: 'January 2030', exact: true }).waitFor()
  await page.keyboard.press('n')
  await page.getByRole('heading', { name: 'February 2030' }).waitFor()
  await page.getByRole('button', { name: /^Monday,? 28 January 2030: schedule a meeting$/ }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'New meeting' }).getByText('Tue, 29 Jan 2030, 09:00–09:30').waitFor()
})

test('the calendar is laid out from right to left in Arabic, and an empty month says so', async () => {
  const { app, openPage } = await startStory()
  await signUp(app, 'Olga')
  const alice = await signUp(app, 'Alice')
  await scheduleQuietly(alice, standUp())
  const { page } = await openPage({ person: alice, locale: 'ar' })
  await page.goto('/calendar?view=month&date=2030-01-07')
  const day = page.getByRole('main').getByRole('button', { name: /الاثنين.*7.*يناير/ })
  const [dayBox, meetingBox] = [
    await day.boundingBox(),
    await page.getByRole('link', { name: /Stand-up$/ }).boundingBox(),
  ]
  assert.ok(dayBox !== null && meetingBox !== null)
  assert.ok(Math.abs(dayBox.x - meetingBox.x) < 8, 'the date stands on its day')
  await checkPage(page, 'calendar-month-ar')
  await page.goto('/calendar?view=agenda&date=2031-05-01')
  await page.getByRole('heading', { name: 'لا اجتماعات في هذا الشهر' }).waitFor()
  await checkPage(page, 'calendar-empty-ar')
})

test('when there are more dates than one reply holds, the first are shown with a note', async () => {
  const { app, openPage } = await startStory()
  await signUp(app, 'Olga')
  const alice = await signUp(app, 'Alice')
  for (let number = 0; number < maxDates / 30; number++) {
    await scheduleQuietly(
      alice,
      standUp({
        topic: `Series ${number + 1}`,
        repeatOptions: { repeat: 'daily', endDate: '2030-03-31T23:59:59Z', timeZone: 'GMT' },
      }),
    )
  }
  const { page } = await openPage({ person: alice })
  await page.goto('/calendar?view=agenda&date=2030-03-09')
  await page.getByText('Only the first 1,000 dates are shown.').waitFor()
  await page.goto('/calendar?view=day&date=2030-03-09')
  await page
    .getByRole('main')
    .getByRole('link', { name: /Series 1$/ })
    .first()
    .waitFor()
  assert.equal(await page.getByText('Only the first').count(), 0)
})
