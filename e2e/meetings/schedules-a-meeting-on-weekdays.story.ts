import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signUp, standUp } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { typeInto } from '../fields.ts'
import { startStory } from '../start-story.ts'
import { scheduleQuietly } from './meetings.ts'

test('Alice schedules a meeting on every weekday, twelve times, with a reminder an hour before, sees what it overlaps with, and reads the same values', async () => {
  const { app, openPage } = await startStory({ REMINDER_MINUTES: '10' })
  const alice = await signUp(app, 'Alice')
  const wholeDay = { startTime: '2030-01-04T00:00:00Z', endTime: '2030-01-05T00:00:00Z' }
  await scheduleQuietly(alice, standUp({ topic: 'Offsite', ...wholeDay, participants: [] }))
  const { page } = await openPage({ person: alice })
  await page.goto('/meetings/new')
  await typeInto(page.getByLabel(/^Date/), '4 Jan 2030')
  await typeInto(page.getByLabel(/^Start/), '09:30')
  await page.getByLabel('Topic').fill('Onboarding')
  const overlaps = page.getByRole('note').filter({ hasText: 'At that time you also have:' })
  await overlaps.getByText('Offsite').waitFor()
  await typeInto(page.getByLabel(/^Date/), '11 Jan 2030')
  await overlaps.waitFor({ state: 'hidden' })
  await typeInto(page.getByLabel(/^Date/), '4 Jan 2030')
  await page.getByLabel('Repeats').selectOption({ label: 'Every weekday (Monday to Friday)' })
  await page.getByText('Every weekday, Monday to Friday', { exact: true }).waitFor()
  assert.equal(await page.getByRole('checkbox', { name: 'Monday' }).count(), 0)

  await page.getByLabel('Ends').selectOption({ label: 'On a date' })
  await page.getByRole('button', { name: 'Schedule the meeting' }).click()
  await page.getByText('Choose the last day, or let the series end another way.').waitFor()
  await page.getByLabel('Ends').selectOption({ label: 'After a number of times' })
  await page.getByLabel('How many times').fill('12')
  await page.getByText('Every weekday, Monday to Friday, 12 times', { exact: true }).waitFor()
  await page.getByText('The last date is 21 January 2030.').waitFor()

  await overlaps.getByText('Offsite').waitFor()
  const reminder = page.getByLabel('Reminder')
  assert.equal(await reminder.locator('option:checked').textContent(), 'Usual time (10 minutes before)')
  await reminder.selectOption({ label: '1 hour before' })
  await checkPage(page, 'new-meeting-weekdays')
  await page.getByRole('button', { name: 'Schedule the meeting' }).click()
  await page.getByRole('heading', { name: 'Onboarding', level: 1 }).waitFor()
  await page.getByText('Every weekday, Monday to Friday, 12 times').waitFor()
  const { body } = await alice.send('GET', '/api/meeting/me')
  const meeting = body.meetingDetails.find(({ topic }: { topic: string }) => topic === 'Onboarding')
  assert.deepEqual(meeting.repeatOptions.daysOfWeek, [0, 1, 1, 1, 1, 1, 0])
  assert.equal(meeting.reminderMinutes, 60)
  const path = `/api/meeting/meetingDetails/${meeting._id}/occurrences`
  const dates = await alice.send('GET', `${path}?from=2030-01-01T00:00:00Z`)
  assert.equal(dates.body.occurrences.length, 12)

  await page.goto(`/meetings/${meeting._id}/edit`)
  assert.equal(
    await page.getByLabel('Repeats').locator('option:checked').textContent(),
    'Every weekday (Monday to Friday)',
  )
  assert.equal(await page.getByLabel('Ends').locator('option:checked').textContent(), 'After a number of times')
  assert.equal(await page.getByLabel('How many times').inputValue(), '12')
  await overlaps.getByText('Offsite').waitFor()
  assert.equal(await overlaps.getByText('Onboarding').count(), 0, 'a meeting does not overlap with itself')
  assert.equal(await reminder.inputValue(), '60')
})
