import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { meetPeople, type Person } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { typeInto } from '../fields.ts'
import { startStory } from '../start-story.ts'

/** An account's meetings from the API. */
const meetingsOf = async (person: Person) => (await person.send('GET', '/api/meeting/me')).body.meetingDetails

const chooseZone = async (page: Page, search: string, option: RegExp) => {
  await page.getByRole('combobox', { name: 'Time zone' }).fill(search)
  await page.getByRole('option', { name: option }).first().click()
}

test('Alice schedules a weekly meeting in IST, sees ten dates, and changes it', async () => {
  const { app, openPage } = await startStory()
  const { alice } = await meetPeople(app)
  const { page } = await openPage({ person: alice, expected: /status of 412/ })
  const preview = page.getByRole('complementary', { name: 'When it takes place' })
  await page.goto('/meetings/new')
  await page.getByRole('heading', { name: 'Schedule a meeting', level: 1 }).waitFor()
  await checkPage(page, 'new-meeting')

  await page.getByRole('button', { name: 'Schedule the meeting' }).click()
  await page.getByText('Say what the meeting is about.').waitFor()
  await page.locator('[aria-invalid="true"]:focus').waitFor()

  // The field has the focus already.
  await page.keyboard.type('Planning with Pune')
  assert.equal(await page.getByLabel('Topic').inputValue(), 'Planning with Pune')
  await typeInto(page.getByLabel(/^Date/), '7 Jan 2030')
  await typeInto(page.getByLabel(/^Start/), '09:30')
  await page.getByLabel(/^End/).first().click()
  await page.getByRole('option', { name: '10:15 · 45 min', exact: true }).click()
  await chooseZone(page, 'ist', /^IST – Asia\/Kolkata/)
  await page.getByText('Mon, 7 Jan 2030, 09:30–10:15, India Standard Time').waitFor()
  await page.getByText('In your own time: Mon, 7 Jan 2030, 04:00–04:45').waitFor()

  await page.getByLabel('Repeats').selectOption('weekly')
  await preview.getByText('Every week on Monday', { exact: true }).waitFor()
  await page.getByText('Wed', { exact: true }).click()
  await preview.getByText('Every week on Monday and Wednesday', { exact: true }).waitFor()
  const dates = page.getByRole('list', { name: 'Next dates' }).getByRole('listitem')
  await dates.filter({ hasText: 'Wed, 9 Jan 2030, 09:30–10:15' }).getByText('4:00 in your own time').waitFor()
  assert.equal(await dates.count(), 10)

  const participants = page.getByRole('combobox', { name: 'Participants' })
  await participants.fill('Bob Builder <bob@example.org>; carol@example.org, BOB@Example.org, dan')
  await participants.press('Enter')
  await page.getByText('1 entry is not an email address.').waitFor()
  await page.getByRole('button', { name: 'Schedule the meeting' }).click()
  await page.getByText('Correct or remove what is not an email address.').waitFor()
  await checkPage(page, 'new-meeting-refused')
  await page.getByRole('button', { name: 'Not an address: dan. Correct it' }).click()
  await participants.fill('dan@example.org')
  await participants.press('Enter')
  await page.getByRole('switch', { name: 'Waiting room' }).check()
  await page.getByRole('button', { name: 'Schedule the meeting' }).click()

  await page.getByRole('heading', { name: 'Planning with Pune', level: 1, exact: true }).waitFor()
  const [meeting] = await meetingsOf(alice)
  assert.equal(meeting.startTime, '2030-01-07T04:00:00.000Z')
  assert.equal(meeting.scheduledDuration, 45 * 60_000)
  assert.deepEqual(meeting.repeatOptions.daysOfWeek, [0, 1, 0, 1, 0, 0, 0])
  assert.equal(meeting.repeatOptions.timeZone, 'IST')
  assert.equal(meeting.advancedOptions.waitingRoom, true)
  assert.deepEqual(
    meeting.participants.map(({ email }: { email: string }) => email),
    ['bob@example.org', 'carol@example.org', 'dan@example.org'],
  )

  await page.goto(`/meetings/${meeting._id}/edit`)
  await page.getByLabel('Topic').fill('Planning with Pune and Delhi')
  await page.getByLabel('Ends').selectOption({ label: 'On a date' })
  await typeInto(page.getByLabel('Last day of the series'), '30 Jun 2030')
  await preview.getByText('Every week on Monday and Wednesday, until 30 June 2030', { exact: true }).waitFor()
  await checkPage(page, 'edit-meeting')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('heading', { name: 'Planning with Pune and Delhi', level: 1, exact: true }).waitFor()
  const [changed] = await meetingsOf(alice)
  assert.equal(changed.repeatOptions.endDate, '2030-06-30T18:29:59.000Z')
  assert.equal(changed.startTime, meeting.startTime)
  await app.mails()
})
