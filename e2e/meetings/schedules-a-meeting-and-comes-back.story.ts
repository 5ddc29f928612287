import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detailsPath, meetPeople, type Person, schedule, standUp } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { checkPage } from '../check-page.ts'
import { startStory } from '../start-story.ts'

/** An account's meetings from the API. */
const meetingsOf = async (person: Person) => (await person.send('GET', '/api/meeting/me')).body.meetingDetails

test('when another person has changed the meeting, Alice sees both versions and chooses', async () => {
  const { app, openPage } = await startStory()
  const { alice } = await meetPeople(app)
  const meeting = await schedule(alice)
  const { page } = await openPage({ person: alice, expected: /status of 412/ })
  await page.goto(`/meetings/${meeting._id}/edit`)
  await page.getByLabel('Topic').fill('Stand-up of Alice')
  const other = standUp({ topic: 'Stand-up of Bob', description: 'Bring your list.' })
  await expectOk(alice.send('PUT', detailsPath(meeting), other))

  await page.getByRole('button', { name: 'Save changes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Someone else has changed this meeting' })
  await dialog.getByRole('cell', { name: 'Stand-up of Bob' }).waitFor()
  await dialog.getByRole('cell', { name: 'Bring your list.' }).waitFor()
  await checkPage(page, 'edit-meeting-versions')
  await dialog.getByRole('button', { name: 'Continue with the other version' }).click()
  await dialog.waitFor({ state: 'hidden' })
  assert.equal(await page.getByLabel('Topic').inputValue(), 'Stand-up of Bob')

  await page.getByLabel('Topic').fill('Stand-up of both')
  await expectOk(alice.send('PUT', detailsPath(meeting), standUp({ topic: 'Once more' })))
  await page.getByRole('button', { name: 'Save changes' }).click()
  await dialog.getByRole('button', { name: 'Save your version' }).click()
  await page.getByRole('heading', { name: 'Stand-up of both', level: 1 }).waitFor()
  const [kept] = await meetingsOf(alice)
  assert.deepEqual([kept.topic, kept.description], ['Stand-up of both', 'Bring your list.'])
  await app.mails()
})

test('a draft is restored after the page was left, and can be discarded', async () => {
  const { app, openPage } = await startStory()
  const { alice } = await meetPeople(app)
  const { page } = await openPage({ person: alice })
  await page.goto('/meetings/new')
  await page.getByLabel('Topic').fill('Half written')
  await page.reload()
  await page.getByText('Your draft is back').waitFor()
  assert.equal(await page.getByLabel('Topic').inputValue(), 'Half written')
  await checkPage(page, 'new-meeting-restored')
  await page.getByRole('button', { name: 'Start over' }).click()
  assert.equal(await page.getByLabel('Topic').inputValue(), '')
  await page.reload()
  await page.getByLabel('Topic').waitFor()
  assert.equal(await page.getByText('Your draft is back').count(), 0)

  await page.getByLabel('Topic').fill('Too early')
  await page.getByRole('link', { name: 'Discard' }).click()
  await page.getByRole('heading', { name: 'Meetings', level: 1 }).waitFor()
  await page.getByText('What you had entered is discarded.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Your draft is back').waitFor()
  assert.equal(await page.getByLabel('Topic').inputValue(), 'Too early')
})

test('a start that is chosen in the calendar is kept beside an older draft, which is offered', async () => {
  const { app, openPage } = await startStory()
  const { alice } = await meetPeople(app)
  const { page } = await openPage({ person: alice })
  await page.goto('/meetings/new?start=2030-01-31T09:00:00Z')
  await page.getByLabel('Topic').fill('Board meeting')
  await page.goto('/meetings/new?start=2030-02-01T10:30:00Z')
  const topic = page.getByLabel('Topic')
  await page.getByText('“Board meeting” is a draft that you have not saved.').waitFor()
  assert.deepEqual([await topic.inputValue(), await page.getByLabel(/^Date/).inputValue()], ['', 'Fri, 1 Feb 2030'])
  await topic.fill('Interview')
  await checkPage(page, 'new-meeting-beside-a-draft')

  await page.getByRole('link', { name: 'Continue it' }).click()
  await page.getByText('“Interview” is a draft').waitFor()
  assert.deepEqual(
    [await topic.inputValue(), await page.getByLabel(/^Date/).inputValue()],
    ['Board meeting', 'Thu, 31 Jan 2030'],
  )
  await page.getByRole('button', { name: 'Delete it' }).click()
  await page.getByText('“Interview” is a draft').waitFor({ state: 'hidden' })
  await page.goto('/meetings/new?start=2030-02-01T10:30:00Z')
  await page.getByText('“Board meeting” is a draft').waitFor()
  assert.equal(await topic.inputValue(), '')
})
