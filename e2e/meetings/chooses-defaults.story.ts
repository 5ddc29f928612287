import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meetPeople } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { startStory } from '../start-story.ts'

test('Alice chooses what her new meetings begin with, and the form begins so', async () => {
  const { app, openPage } = await startStory()
  const { alice } = await meetPeople(app)
  const { page, context } = await openPage({ person: alice })
  await page.goto('/settings/meetings')
  const otherWindow = await context.newPage()
  await otherWindow.goto('/settings/meetings')
  await otherWindow.getByRole('heading', { name: 'New meetings' }).waitFor()
  const section = page.getByRole('region', { name: 'New meetings' })
  await section.getByLabel('Length').selectOption({ label: '45 minutes' })
  await page.getByText('Saved: Length').waitFor()
  await section.getByRole('switch', { name: 'People wait until the host admits them' }).click()
  await section.getByLabel('Who can join').selectOption({ label: 'Signed-in people' })
  await page.getByText('Saved: Who can join').waitFor()
  await checkPage(page, 'settings-new-meetings')

  // A window that shows older values changes, and takes back, only what was clicked in it.
  const readDefaults = async () => (await alice.send('GET', '/api/my_profile')).body.meetingDefaults
  const before = await readDefaults()
  await otherWindow.getByRole('switch', { name: 'The host’s camera is on' }).click()
  await otherWindow.getByText('Saved: The host’s camera is on').waitFor()
  const { advancedOptions } = before
  assert.deepEqual(await readDefaults(), { ...before, advancedOptions: { ...advancedOptions, hostVideo: false } })
  await otherWindow.getByRole('button', { name: 'Undo' }).click()
  await otherWindow.getByText('It’s as it was before.').waitFor()
  assert.deepEqual(await readDefaults(), before)
  await otherWindow.close()

  await page.goto('/meetings/new')
  await page.getByRole('switch', { name: /^Waiting room/ }).waitFor()
  assert.match(await page.getByLabel(/^End/).inputValue(), /· 45 min$/)
  assert.equal(await page.getByRole('switch', { name: /^Waiting room/ }).isChecked(), true)
  assert.equal(await page.getByLabel('Who can join').inputValue(), 'signedIn')
  await page.getByLabel('Topic').fill('With defaults')
  await page.getByRole('button', { name: 'Schedule the meeting' }).click()
  await page.getByRole('heading', { name: 'With defaults', level: 1 }).waitFor()
  const { body } = await alice.send('GET', '/api/meeting/me')
  const [meeting] = body.meetingDetails
  assert.equal(meeting.scheduledDuration, 45 * 60_000)
  assert.deepEqual(
    [meeting.advancedOptions.waitingRoom, meeting.advancedOptions.loggedInOnly, meeting.advancedOptions.hostVideo],
    [true, true, true],
  )

  // A click in the calendar chooses the same length.
  await page.goto('/calendar?view=week&date=2030-01-14')
  await page.getByRole('button', { name: /Tuesday.* at 10:00$/ }).click()
  await page.getByRole('dialog', { name: 'New meeting' }).getByText('Tue, 15 Jan 2030, 10:00–10:45').waitFor()
  await app.mails()
})
