import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meetPeople } from '../../apps/server/test/people.ts'
import { perceives, perceivesNothing, receivedBy } from '../media/perception.ts'
import { between, hourMs } from '../meetings/meetings.ts'
import { startRoomStory } from './start-room-story.ts'

const story = await startRoomStory()
const { alice, bob } = await meetPeople(story.app)

test('a waiting person perceives nothing; once admitted, they see and hear', async () => {
  const meeting = await story.startMeeting(alice, { waitingRoom: true })
  const { page: host } = await story.openMeeting(meeting, alice)
  await host.getByRole('button', { name: 'Join now' }).click()
  await host.getByRole('button', { name: 'Leave' }).waitFor()
  const { page: guest } = await story.openMeeting(meeting, 'Gita')
  await guest.getByRole('button', { name: 'Ask to join' }).click()
  await guest.getByRole('heading', { name: 'You’re in the waiting room' }).waitFor()
  assert.deepEqual(await receivedBy(guest), [])
  assert.deepEqual(await receivedBy(host), [])

  await host.getByRole('button', { name: 'View' }).click()
  await host.getByRole('button', { name: 'Admit Gita' }).click()
  await perceives(guest, { pictures: 1, voices: 1 })
  await perceives(host, { pictures: 1, voices: 1 })
})

test('a declined guest is notified; a guest who stops waiting leaves the host’s list', async () => {
  const meeting = await story.startMeeting(alice, { waitingRoom: true })
  const { page: guest } = await story.openMeeting(meeting, 'Gita')
  await guest.getByText('The host decides who can join. No host is here yet.').waitFor()
  await guest.getByRole('button', { name: 'Ask to join' }).click()
  await guest.getByText('No host is here yet. When one arrives, they’ll see that you’re waiting.').waitFor()
  const { page: host } = await story.openMeeting(meeting, alice)
  await host.getByText('1 person is waiting to join.').waitFor()
  assert.equal(await host.getByText('No one else is here yet.').count(), 0)
  await host.getByRole('button', { name: 'Join now' }).click()
  await host.getByRole('heading', { name: '1 person is waiting to join.' }).waitFor()
  await host.getByRole('button', { name: /^People/ }).click()
  await guest.getByText('The host can see that you’re waiting.').waitFor()
  await host.getByRole('button', { name: 'Decline Gita' }).click()
  await guest.getByRole('heading', { name: 'The host did not let you in' }).waitFor()
  // The host admits the declined guest, whose page continues by itself.
  await host.getByRole('button', { name: 'Admit Gita' }).click()
  await guest.getByRole('button', { name: 'Join now' }).click()
  await perceives(host, { pictures: 1, voices: 1 })
  await guest.getByRole('button', { name: 'Leave' }).click()
  await guest.getByRole('heading', { name: 'You left the meeting' }).waitFor()

  const { page: bobs } = await story.openMeeting(meeting, bob)
  await bobs.getByRole('button', { name: 'Ask to join' }).click()
  const letBobIn = host.getByRole('button', { name: 'Admit Bob Test' })
  await letBobIn.waitFor()
  await bobs.close()
  await letBobIn.waitFor({ state: 'detached' })
  await host.getByRole('heading', { name: 'In the meeting (1)' }).waitFor()
  assert.equal(await host.getByRole('heading', { name: /^Waiting/ }).count(), 0)
})

test('visitors wait while the host is late or has left, and join when the host is early', async () => {
  const meeting = await story.startMeeting(alice, { joinBeforeHost: false })
  const { page: bobs } = await story.openMeeting(meeting, bob)
  await bobs.getByRole('button', { name: 'Change your name' }).click()
  await bobs.getByRole('textbox', { name: 'Your name' }).fill('Bobby')
  await bobs.getByRole('button', { name: 'Join when the host arrives' }).click()
  await bobs.getByRole('heading', { name: 'The host isn’t here yet' }).waitFor()
  const ended = { startsAt: new Date(Date.now() - hourMs), endsAt: new Date(Date.now() - 30 * 60_000) }
  await story.app.database.updateTable('meeting').set(ended).where('id', '=', meeting._id).execute()
  await bobs.reload()
  await bobs.getByText(/^The planned time ended at .*, and no host is here\. You can ask Alice Test/).waitFor()
  const { page: host } = await story.openMeeting(meeting, alice)
  await host.getByRole('button', { name: 'Join now' }).click()
  await perceives(bobs, { pictures: 1, voices: 1 })
  await host.getByRole('button', { name: /^People/ }).click()
  await host.getByText('Renamed from Bob Test').waitFor()
  await bobs.reload()
  await bobs.getByText('You’re joining as Bobby.').waitFor()
  assert.equal(await bobs.getByText('You’re already in this call').count(), 0)
  await bobs.getByRole('button', { name: 'Join now' }).click()
  await perceives(bobs, { pictures: 1, voices: 1 })

  await host.getByRole('button', { name: 'Leave' }).click()
  await host.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }).click()
  await host.getByRole('heading', { name: 'You left the meeting' }).waitFor()
  await perceivesNothing(bobs, 'video')
  await bobs.getByRole('button', { name: 'Leave' }).waitFor()
  const { page: guest } = await story.openMeeting(meeting, 'Gita')
  await guest.getByRole('button', { name: 'Join when the host arrives' }).waitFor()

  const later = await story.startMeeting(alice, {}, between(3 * hourMs, 4 * hourMs))
  const { page: early } = await story.openMeeting(later, alice)
  await early.getByRole('button', { name: 'Join now' }).click()
  await early.getByRole('button', { name: 'Leave' }).waitFor()
  const { page: tooEarly } = await story.openMeeting(later, bob)
  await tooEarly.getByRole('heading', { name: 'The meeting isn’t open yet' }).waitFor()
})
