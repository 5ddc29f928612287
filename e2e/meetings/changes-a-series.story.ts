import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cancelPath, detailsPath, meetPeople, schedule, weekdays } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { typeInto } from '../fields.ts'
import { startStory } from '../start-story.ts'
import { scheduleQuietly } from './meetings.ts'

const { app, openPage } = await startStory({}, { emails: 'dropped' })
const { alice } = await meetPeople(app)

test('Alice moves a series to ten o’clock: its cancelled date stays cancelled, and the page lists the restored dates', async () => {
  const series = await schedule(alice, weekdays())
  await alice.send('POST', cancelPath(series), { cancel: 'current', occurrence: '2030-01-08T09:00:00Z' })
  const renamed = `${detailsPath(series)}/occurrences/2030-01-10T09:00:00Z`
  await alice.send('PUT', renamed, { topic: 'Review' })
  const { page } = await openPage({ person: alice })
  const edit = async () => {
    await page.goto(`/meetings/${series._id}/edit`)
    await page.getByRole('list', { name: 'Next dates' }).waitFor()
  }
  const dates = page.getByRole('list', { name: 'Next dates' }).getByRole('listitem')
  const save = async () => {
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('heading', { name: 'Stand-up', level: 1, exact: true }).waitFor()
  }

  await edit()
  await dates.filter({ hasText: 'Tue, 8 Jan 2030, 09:00–09:30' }).getByText('Cancelled').waitFor()
  await typeInto(page.getByLabel(/^Start/), '10:00')
  await dates.filter({ hasText: 'Tue, 8 Jan 2030, 10:00–10:30' }).getByText('Cancelled').waitFor()
  assert.equal(await page.getByText('comes back').count(), 0)
  await checkPage(page, 'edit-series-cancelled-date')
  await save()

  await edit()
  await page.getByLabel('Repeats').selectOption('daily')
  await page.getByLabel('Every how many days').fill('2')
  await page.getByText('1 cancelled date is no longer part of the series: Tue, 8 Jan 2030, 10:00').waitFor()
  await page.getByText(/^\d dates no longer take place: Thu, 10 Jan 2030, 10:00 \(Review\); .*; and more$/).waitFor()
  await checkPage(page, 'edit-series-changed-dates')
  await save()

  await edit()
  await page.getByLabel('Repeats').selectOption('daily')
  await page.getByLabel('Every how many days').fill('1')
  await page.getByText('1 cancelled date comes back: Tue, 8 Jan 2030, 10:00').waitFor()
  await page.getByLabel('Repeats').selectOption('none')
  await page.getByText(/dates no longer take place: /).waitFor()
})

test('a start in the past is accepted with a warning, an unchanged one without', async () => {
  const { page } = await openPage({ person: alice })
  await page.goto('/meetings/new')
  await page.getByLabel('Topic').fill('Minutes of last week')
  await typeInto(page.getByLabel(/^Date/), '5 Jan 2026')
  await page.getByText('It’s entirely in the past, so no one is notified by email.').waitFor()
  await checkPage(page, 'new-meeting-past')
  await page.getByLabel('Repeats').selectOption('weekly')
  await page.getByText('This start has already passed.').waitFor()
  await page.getByRole('list', { name: 'Next dates' }).waitFor()
  assert.equal(await page.getByText('It’s entirely in the past').count(), 0)
  await page.getByRole('button', { name: 'Schedule the meeting' }).click()
  await page.getByRole('heading', { name: 'Minutes of last week', level: 1, exact: true }).waitFor()

  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByLabel('All dates').check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('list', { name: 'Next dates' }).waitFor()
  assert.equal(await page.getByText('This start has already passed.').count(), 0)
})

test('the invitation to a running series that Alice copies names the next date, not the first', async () => {
  const first = { startTime: '2026-01-05T09:00:00Z', endTime: '2026-01-05T09:30:00Z' }
  const repeatOptions = { repeat: 'weekly', daysOfWeek: [0, 1, 0, 0, 0, 0, 0], timeZone: 'BST' }
  const series = await scheduleQuietly(alice, weekdays({ ...first, repeatOptions }))
  const { body } = await alice.send('GET', `${detailsPath(series)}?occurrences=1`)
  const next = new Date(body[0].occurrences[0].startTime)
  const { page, context } = await openPage({ person: alice })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`/meetings/${series._id}`)
  await page.getByRole('list').filter({ hasText: /Mon, / }).first().waitFor()
  await page.getByRole('button', { name: 'Copy invitation' }).click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' }).format(next)
  assert.match(copied, new RegExp(`When: Mon, ${day}, 0?9:00`))
  assert.doesNotMatch(copied, /5 Jan 2026/)
})
