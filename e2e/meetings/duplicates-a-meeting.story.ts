import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signUp, standUp } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { clickWhereSeen } from '../real-input.ts'
import { startStory } from '../start-story.ts'
import { between, cancelQuietly, chooseAction, dayMs, hourMs, scheduleQuietly } from './meetings.ts'

const description = 'Agenda: https://wiki.example/agenda. Not javascript:alert(1). Questions: mailto:carol@example.org'

test('Alice duplicates a meeting of last week, and schedules a cancelled series again', async () => {
  const { app, openPage } = await startStory()
  const alice = await signUp(app, 'Alice')
  const bob = await signUp(app, 'Bob')
  const held = await scheduleQuietly(
    alice,
    standUp({
      topic: 'Review',
      description,
      ...between(-3 * dayMs, -3 * dayMs + hourMs),
      participants: [bob.email, 'dan@elsewhere.example'],
    }),
  )
  const { page } = await openPage({ person: alice })
  await page.goto(`/meetings/${held._id}`)
  const links = page.getByRole('region', { name: 'Description' }).getByRole('link')
  await links.first().waitFor()
  const hrefs = await links.evaluateAll((all) => all.map((one) => [one.getAttribute('href'), one.getAttribute('rel')]))
  assert.deepEqual(hrefs, [
    ['https://wiki.example/agenda', 'noopener noreferrer nofollow'],
    ['mailto:carol@example.org', 'noopener noreferrer nofollow'],
  ])

  // Three lines of a long text, the rest on request.
  const long = await scheduleQuietly(alice, standUp({ description: 'One line.\n'.repeat(9), participants: [] }))
  await page.goto(`/meetings/${long._id}`)
  const about = page.getByRole('region', { name: 'Description' })
  const heightOf = async () => (await about.getByText('One line.').boundingBox())?.height ?? 0
  const folded = await heightOf()
  // Paper has nothing to unfold it with.
  await page.emulateMedia({ media: 'print' })
  assert.ok((await heightOf()) > 2.5 * folded)
  await page.emulateMedia({ media: null })
  await about.getByRole('button', { name: 'Show more', expanded: false }).click()
  await about.getByRole('button', { name: 'Show less', expanded: true }).waitFor()
  assert.ok((await heightOf()) > 2.5 * folded)
  await page.goto(`/meetings/${held._id}`)

  await chooseAction(page, 'Duplicate')
  await page.getByText('A copy of “Review”').waitFor()
  assert.equal(await page.getByLabel('Topic').inputValue(), 'Review')
  await page.getByText('dan@elsewhere.example').waitFor()
  await checkPage(page, 'new-meeting-copy')
  await page.getByLabel('Topic').fill('Review of the review')
  await page.reload()
  await page.getByText('Your draft is back').waitFor()
  assert.equal(await page.getByLabel('Topic').inputValue(), 'Review of the review')
  await page.getByLabel('Send invitations to the participants').uncheck()
  await page.getByRole('button', { name: 'Schedule the meeting' }).click()
  await page.getByRole('heading', { name: 'Review of the review', level: 1 }).waitFor()
  const { body } = await alice.send('GET', '/api/meeting/me?past=false')
  const [copy] = body.meetingDetails
  assert.equal(Date.parse(copy.startTime) - Date.parse(held.startTime), 7 * dayMs)
  assert.deepEqual(
    copy.participants.map(({ email }: { email: string }) => email),
    [bob.email, 'dan@elsewhere.example'],
  )
  assert.equal(copy.description, description)

  const series = await scheduleQuietly(
    alice,
    standUp({ ...between(dayMs, dayMs + hourMs), repeatOptions: { repeat: 'daily', timeZone: 'Europe/London' } }),
  )
  await cancelQuietly(alice, series)
  await page.goto(`/meetings/${series._id}`)
  await page.getByText('Its remaining dates won’t take place.').waitFor()
  assert.equal(await page.getByRole('region', { name: 'Next dates' }).count(), 0)
  await checkPage(page, 'meeting-cancelled')
  await clickWhereSeen(page.getByRole('link', { name: 'Schedule again' }))
  await page.getByText('A copy of “Stand-up”').waitFor()
  await page.getByText('Every day', { exact: true }).waitFor()

  const { page: guest } = await openPage({ person: bob })
  await guest.goto(`/meetings/${series._id}`)
  await guest.getByText('Ask Alice Test whether there is a new date.').waitFor()
  assert.equal(await guest.getByRole('link', { name: 'Schedule again' }).count(), 0)
})
