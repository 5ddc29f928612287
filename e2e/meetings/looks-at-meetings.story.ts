import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cancelPath, type Person, signUp, standUp, weekdays } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import type { TestApp } from '../../apps/server/test/start-app.ts'
import { checkPage } from '../check-page.ts'
import { startStory } from '../start-story.ts'
import { between, cancelQuietly, dayMs, hourMs, minuteMs, scheduleQuietly } from './meetings.ts'

async function meetPeople(app: TestApp) {
  await signUp(app, 'Olga')
  return { alice: await signUp(app, 'Alice'), bob: await signUp(app, 'Bob') }
}

/** Alice's week. */
async function fillCalendar(alice: Person, bob: Person) {
  const next = await scheduleQuietly(
    alice,
    standUp({
      topic: 'Budget 2031',
      description: 'Bring the figures of the third quarter.\n\nWe decide about the new office.',
      ...between(25 * minuteMs, 55 * minuteMs),
      participants: [bob.email, 'guest@elsewhere.example'],
      cohosts: [bob.email],
      repeatOptions: { repeat: 'none', timeZone: 'IST' },
    }),
  )
  const series = await scheduleQuietly(
    alice,
    standUp({
      topic: 'Stand-up',
      ...between(dayMs, dayMs + 15 * minuteMs),
      repeatOptions: { repeat: 'daily', timeZone: 'Asia/Kolkata' },
    }),
  )
  await scheduleQuietly(
    bob,
    standUp({ topic: 'Bob’s review', ...between(2 * dayMs, 2 * dayMs + hourMs), participants: [alice.email] }),
  )
  const gone = await scheduleQuietly(alice, standUp({ topic: 'Called off', ...between(3 * dayMs, 3 * dayMs + hourMs) }))
  await cancelQuietly(alice, gone)
  await scheduleQuietly(alice, standUp({ topic: 'Last week', ...between(-7 * dayMs, -7 * dayMs + hourMs) }))
  return { next, series }
}

test('Alice sees the next meeting, and finds meetings by word, by role, and by status', async () => {
  const { app, openPage } = await startStory()
  const { alice, bob } = await meetPeople(app)
  const { next } = await fillCalendar(alice, bob)
  const { page } = await openPage({ person: alice })
  await page.goto('/meetings')
  const card = page.getByRole('region', { name: 'Next meeting' })
  await card.getByText(/Starts in 2[345] minutes/).waitFor()
  const join = card.getByRole('link', { name: 'Join Budget 2031' })
  assert.equal(await join.getAttribute('href'), `/j/${next.svcMeetId}#pin=${next.pin}`)
  await page.getByText('3 upcoming meetings').waitFor()
  await page.getByText('Daily', { exact: true }).waitFor()
  await checkPage(page, 'meetings')

  const list = page.getByRole('main').getByRole('list')
  await page.getByRole('searchbox', { name: 'Search in the topics' }).fill('review')
  await page.getByText('1 upcoming meeting').waitFor()
  await list.getByRole('link', { name: 'Bob’s review' }).waitFor()
  await page.waitForURL('/meetings?q=review')
  await page.getByLabel('Your role').selectOption('I am the host')
  await page.getByRole('heading', { name: 'No matching meetings' }).waitFor()
  await checkPage(page, 'meetings-no-match')
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await page.getByText('3 upcoming meetings').waitFor()

  await page.getByLabel('When').selectOption('Cancelled')
  await list.getByRole('link', { name: 'Called off' }).waitFor()
  await page.getByText('1 meeting is cancelled').waitFor()
  await page.getByLabel('When').selectOption('Past')
  await list.getByRole('link', { name: 'Last week' }).click()
  await page.getByRole('heading', { name: 'Last week', level: 1 }).waitFor()
  await page.goBack()
  await page.waitForURL('/meetings?when=past')
})

test('a long list is paged', async () => {
  const { app, openPage } = await startStory()
  const { alice } = await meetPeople(app)
  for (let meeting = 1; meeting <= 25; meeting++)
    await scheduleQuietly(
      alice,
      standUp({ topic: `Meeting ${meeting}`, ...between(meeting * hourMs, meeting * hourMs + minuteMs) }),
    )
  const { page } = await openPage({ person: alice })
  await page.goto('/meetings')
  await page.getByText('25 upcoming meetings').waitFor()
  assert.equal(await page.getByRole('main').getByRole('listitem').count(), 20)
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByRole('link', { name: 'Meeting 25' }).waitFor()
  assert.equal(await page.getByRole('main').getByRole('listitem').count(), 25)
  assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0)
})

test('the page of a meeting shows its time in both zones, the invitation, the participants, and the fields of hosts', async () => {
  const { app, openPage } = await startStory()
  const { alice, bob } = await meetPeople(app)
  const { next, series } = await fillCalendar(alice, bob)
  const { page, context } = await openPage({ person: alice, permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(`/meetings/${next._id}`)
  await page.getByRole('heading', { name: 'Budget 2031', level: 1 }).waitFor()
  await page.getByText(/in the zone of the meeting \(India Standard Time\)/).waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Link' }).inputValue(), next.meetingUrl)
  assert.match(await page.getByRole('textbox', { name: 'Meeting ID' }).inputValue(), /^\d{3} \d{3} \d{4}$/)
  await page.getByText('guest@elsewhere.example').waitFor()
  await checkPage(page, 'meeting')

  assert.equal(await page.getByRole('textbox', { name: 'Host key' }).count(), 0)
  await page.getByRole('button', { name: 'Show: Only for hosts' }).click()
  await page.getByRole('textbox', { name: 'Host key' }).waitFor()
  await page.getByRole('button', { name: 'Copy invitation' }).click()
  const text = await page.evaluate(() => navigator.clipboard.readText())
  for (const part of ['Alice Test invites you', 'Topic: Budget 2031', `Join: ${next.meetingUrl}`, `PIN: ${next.pin}`])
    assert.ok(text.includes(part), `${part} in ${text}`)

  await page.getByRole('button', { name: 'QR code' }).click()
  await page.getByRole('img', { name: 'QR code that leads to Budget 2031' }).waitFor()
  await checkPage(page, 'meeting-qr')
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => document.activeElement?.textContent === 'QR code')
  await page.getByRole('button', { name: 'Add to your calendar' }).click()
  const google = await page.getByRole('menuitem', { name: 'Google' }).getAttribute('href')
  assert.ok(google?.startsWith('https://calendar.google.com/'))
  assert.ok(!google?.includes(next.pin), 'the PIN is not told to others')

  await page.goto(`/meetings/${series._id}`)
  await page.getByRole('heading', { name: 'Next dates' }).waitFor()
  await page.getByText(/^Every day/).waitFor()
  await page.getByRole('button', { name: 'Show more' }).waitFor()
  await checkPage(page, 'meeting-series')
  await context.close()

  const bobs = await openPage({ person: bob })
  await bobs.page.goto(`/meetings/${series._id}`)
  await bobs.page.getByText('Hosted by Alice Test').waitFor()
  assert.equal(await bobs.page.getByRole('heading', { name: 'Only for hosts' }).count(), 0)
  assert.equal(await bobs.page.getByRole('link', { name: 'Edit' }).count(), 0)
})

test('a series that begins years ahead shows its next dates, and the one that was cancelled', async () => {
  const { app, openPage } = await startStory()
  const { alice } = await meetPeople(app)
  const series = await scheduleQuietly(alice, weekdays({ topic: 'Founding week' }))
  const { page } = await openPage({ person: alice })
  await page.goto(`/meetings/${series._id}`)
  const dates = page.getByRole('region', { name: 'Next dates' })
  await dates.getByText(/\b7 Jan\w* 2030/).waitFor()
  assert.equal(await dates.getByRole('listitem').count(), 5)
  await dates.getByRole('button', { name: 'Show more' }).click()
  await dates.getByText(/\b25 Jan\w* 2030/).waitFor()
  assert.equal(await dates.getByRole('listitem').count(), 15)
  assert.equal(await dates.getByRole('button', { name: 'Show more' }).count(), 0)

  const cancel = { cancel: 'current', occurrence: '2030-01-08T09:00:00Z' }
  await expectOk(alice.send('POST', `${cancelPath(series)}?sendUpdates=none`, cancel))
  await page.reload()
  await dates.getByRole('listitem').nth(1).getByText('Cancelled').waitFor()
  await dates.getByRole('button', { name: /^Restore \w+, 8 Jan 2030/ }).waitFor()
})

test('a meeting that does not exist or that she may not see is not found', async () => {
  const { app, openPage } = await startStory()
  const { alice, bob } = await meetPeople(app)
  const made = await scheduleQuietly(bob, standUp({ participants: [] }))
  const { page } = await openPage({ person: alice, expected: /status of 404/ })
  await page.goto(`/meetings/${made._id}`)
  await page.getByRole('heading', { name: 'This meeting can’t be shown' }).waitFor()
  await page.getByText('There is no such meeting, or you don’t have access to it.').waitFor()
  await checkPage(page, 'meeting-missing')
})
