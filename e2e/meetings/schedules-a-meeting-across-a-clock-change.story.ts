import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meetPeople } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { typeInto } from '../fields.ts'
import { startStory } from '../start-story.ts'

test('the next dates mark clock changes, and a date whose time is skipped', async () => {
  const { app, openPage } = await startStory()
  const { alice } = await meetPeople(app)
  const { page } = await openPage({ person: alice, expected: /status of 400/ })
  await page.goto('/meetings/new')
  const dates = page.getByRole('list', { name: 'Next dates' })
  await typeInto(page.getByLabel(/^Date/), '18 Mar 2030')
  await typeInto(page.getByLabel(/^Start/), '09:00')
  await page.getByLabel('Repeats').selectOption('weekly')
  await dates.getByText('Mon, 18 Mar 2030, 09:00–09:30').waitFor()
  assert.equal(await dates.getByRole('listitem').count(), 10)
  const [third] = await dates.getByRole('listitem').filter({ hasText: 'The clocks change' }).allInnerTexts()
  assert.match(third ?? '', /Mon, 1 Apr 2030, 09:00–09:30\s+The clocks change: UTC\+00:00 becomes UTC\+01:00\./)
  await checkPage(page, 'new-meeting-clock-change')

  await typeInto(page.getByLabel(/^Date/), '30 Mar 2030')
  await typeInto(page.getByLabel(/^Start/), '01:30')
  await page.getByLabel('Repeats').selectOption('daily')
  const skipped = dates.getByRole('listitem').filter({ hasText: 'skip the usual time' })
  await skipped.getByText('Sun, 31 Mar 2030, 02:30–03:00').waitFor()
  assert.equal(await skipped.count(), 1)

  await page.getByLabel('Repeats').selectOption('monthly')
  await page.getByLabel('Day of the month', { exact: true }).fill('31')
  await page.getByLabel('Ends').selectOption({ label: 'On a date' })
  await typeInto(page.getByLabel('Last day of the series'), '30 Mar 2030')
  await page.getByText('With these settings the meeting never takes place.').waitFor()
  await page.getByLabel('Topic').fill('Never')
  await page.getByRole('button', { name: 'Schedule the meeting' }).click()
  await page.getByText('With these settings the meeting never takes place.').nth(1).waitFor()
  assert.equal((await alice.send('GET', '/api/meeting/me')).body.totalCount, 0)
})
