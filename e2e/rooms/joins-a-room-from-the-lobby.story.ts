import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meetPeople } from '../../apps/server/test/people.ts'
import { perceives, perceivesNothing, receivedBy } from '../media/perception.ts'
import { between, hourMs } from '../meetings/meetings.ts'
import { answersOnEntering, startRoomStory } from './start-room-story.ts'

const story = await startRoomStory()
const { alice, bob } = await meetPeople(story.app)

test('a waiting person gets no media and no token; once admitted, they see and hear', async () => {
  const meeting = await story.startMeeting(alice, { waitingRoom: true })
  const { page: host } = await story.openMeeting(meeting, alice)
  await host.getByRole('button', { name: 'Join now' }).click()
  await host.getByRole('button', { name: 'Leave' }).waitFor()
  const { page: guest } = await story.openMeeting(meeting, 'Gita', {
    expected: /status of 40[13]|WebSocket connection/,
  })
  const answers = answersOnEntering(guest)
  await guest.getByRole('button', { name: 'Ask to join' }).click()
  await guest.getByRole('heading', { name: 'You’re in the waiting room' }).waitFor()

  const { svcMeetId, pin } = meeting
  const { admissionId = '' } = (await answers()).at(-1) ?? {}
  assert.match(admissionId, /^[\w-]{30,}$/)
  const send = (path: string, body: object) =>
    guest.evaluate(
      async ([address, sent]) => {
        const response = await fetch(address, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(sent),
        })
        return { status: response.status, body: await response.json() }
      },
      [`/api/rooms/${svcMeetId}/${path}`, body] as const,
    )
  for (const more of [{}, { name: 'Gita' }, { state: 'admitted', role: 'host', admissionId, waitingRoom: false }]) {
    const { body } = await send('enter', { pin, ...more })
    assert.deepEqual([body.state, body.role, body.media], ['waiting', 'participant', undefined])
  }
  for (const path of [`admissions/${admissionId}`, 'admit-all']) {
    assert.equal((await send(path, { decision: 'admit' })).status, 403, path)
  }
  for (const token of ['', 'x', await story.forgedToken({ room: meeting._id, identity: admissionId })]) {
    assert.equal(await guest.evaluate(canConnect, `${story.mediaUrl}/rtc?access_token=${token}`), false)
  }
  assert.deepEqual(await receivedBy(guest), [])
  assert.deepEqual(await receivedBy(host), [])
  const said = await answers()
  assert.ok(said.length >= 4)
  for (const { media } of said) assert.equal(media, undefined)

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
  await host.getByText('No one else is here yet.').waitFor()
  await host.getByRole('button', { name: 'Join now' }).click()
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
  await bobs.getByRole('button', { name: 'Join when the host arrives' }).click()
  await bobs.getByRole('heading', { name: 'The host isn’t here yet' }).waitFor()
  const { page: host } = await story.openMeeting(meeting, alice)
  await host.getByRole('button', { name: 'Join now' }).click()
  await perceives(bobs, { pictures: 1, voices: 1 })

  await host.getByRole('button', { name: 'Leave' }).click()
  await host.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
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

/** Runs in the page. */
const canConnect = (address: string) =>
  new Promise<boolean>((resolve) => {
    const socket = new WebSocket(address)
    socket.onopen = () => resolve(true)
    socket.onerror = () => resolve(false)
  })
