import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { TrackSource } from '@livekit/protocol'
import { breakoutAttribute } from '@parley/contract'
import type { RawClient } from '../../../test/media/raw-client.ts'
import { sendRequest } from '../../../test/people.ts'
import { expectOk } from '../../../test/replies.ts'
import { setUpEngineMeetings, until } from '../../../test/rooms/engine-meetings.ts'
import { admissionPath, as, enter, type Room, roomPath } from '../../../test/rooms/rooms.ts'
import { createClock, startApp } from '../../../test/start-app.ts'

// The embedded engine, with clients that keep their tokens and ask for everything.
const clock = createClock('2030-01-07T09:00:00Z')
const environment = { RATE_LIMITS: 'off' }
const app = await startApp({ clock, environment, media: 'engine', emails: 'dropped' })
const meetings = await setUpEngineMeetings({ app, clock, socketBase: `${app.base.replace('http', 'ws')}/media` })
const { alice, bob, carol, meet, enterAndConnect, connect, inside } = meetings

const quietMs = 150

/** The breakout rooms in which the engine has these people. */
const roomsOf = async (room: Room, ids: readonly string[]) => {
  const listed = await inside(room)
  return ids.map((id) => listed.find(({ identity }) => identity === id)?.attributes[breakoutAttribute] ?? null)
}

const words = ['can', 'you', 'hear', 'this']

/** What a client receives while the speaker sends, after it has offered room for one more track. */
async function receivedBy(listener: RawClient, speaker: RawClient, ssrc: number): Promise<string[]> {
  listener.peer.addTransceiver('audio', { direction: 'recvonly' })
  for (let offers = 0; offers < 2; offers += 1) await listener.negotiate()
  const received = listener.listen()
  await speaker.speak(ssrc, words)
  await sleep(quietMs)
  return received
}

test('nothing passes between breakout rooms: after opening, moves, a return with an old token, and until they close', async () => {
  const room = await meet()
  const alices = await enterAndConnect(room, as(alice))
  const bobs = await enterAndConnect(room, as(bob))
  const carols = await enterAndConnect(room, as(carol))
  const ids = [alices, bobs, carols].map(({ admissionId }) => admissionId)
  const opening = {
    rooms: [
      { name: 'Room 1', participants: [bobs.admissionId] },
      { name: 'Room 2', participants: [carols.admissionId] },
    ],
    minutes: 10,
  }
  const { breakout } = await expectOk(sendRequest(app, 'POST', roomPath(room, 'breakout-rooms'), opening, as(alice)))
  const [one, two] = breakout.rooms.map(({ id }: { id: string }) => id)
  assert.deepEqual(await roomsOf(room, ids), [null, one, two])
  const { ssrc } = await bobs.client.publish('audio', 'voice', TrackSource.MICROPHONE)
  for (const { client } of [alices, carols]) assert.deepEqual(await receivedBy(client, bobs.client, ssrc), [])

  // The host visits Room 1, and hears who is there.
  const visit = `${admissionPath(room, alices.admissionId)}/breakout-room`
  await expectOk(sendRequest(app, 'PATCH', visit, { room: one }, as(alice)), 204)
  assert.deepEqual(await roomsOf(room, ids), [one, one, two])
  assert.deepEqual(await receivedBy(alices.client, bobs.client, ssrc), words)

  // Carol comes back with a token from before the rooms were open, and again after entering anew.
  const reply = await enter(app, room, as(carol))
  assert.ok(reply.media)
  for (const token of [carols.token, reply.media.token]) {
    const { client } = await connect({ ...reply.media, token })
    assert.deepEqual(await roomsOf(room, ids), [one, one, two])
    assert.deepEqual(await receivedBy(client, bobs.client, ssrc), [])
  }

  clock.advance(10 * 60_000)
  await app.mails()
  await until(async () => (await roomsOf(room, ids)).every((breakoutRoom) => breakoutRoom === null))
})
