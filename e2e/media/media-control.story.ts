import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DisconnectReason, TrackSource } from '@livekit/protocol'
import { type Guest, startMediaStory, until } from './start-media-story.ts'

const openRoom = await startMediaStory()
const leftBecause = (one: Guest) => one.page.evaluate(() => media.left)

test('a participant muted by the server is not heard until they unmute', async () => {
  const { enter, room, server } = openRoom()
  const alice = await enter('alice')
  const bob = await enter('bob')
  await alice.set('microphone', true)
  await bob.perceives('alice', 'microphone')
  const trackSid = await trackOf(alice, 'microphone')

  await server.service.mutePublishedTrack(room, 'alice', trackSid, true)
  await bob.perceivesNothingOf('alice', 'microphone')
  await until(async () => (await alice.events()).includes('trackMuted'), 'alice is told')
  await assert.rejects(() => server.service.mutePublishedTrack(room, 'alice', trackSid, false), /remote unmute/)

  await alice.set('microphone', true)
  await bob.perceives('alice', 'microphone')
  for (const one of [alice, bob]) await one.leave()
})

test('a participant without the right to a microphone is cut off at once, and cannot publish it again', async () => {
  const { enter, room, server } = openRoom()
  const alice = await enter('alice')
  const bob = await enter('bob')
  await alice.set('microphone', true)
  await alice.set('camera', true)
  await bob.perceives('alice', 'microphone')
  await bob.perceives('alice', 'camera')

  const cameraOnly = {
    canPublish: true,
    canPublishData: true,
    canSubscribe: true,
    canPublishSources: [TrackSource.CAMERA],
  }
  await server.service.updateParticipant(room, 'alice', { permission: cameraOnly })
  await until(async () => (await bob.events()).includes('trackUnpublished'), 'bob is told')
  await bob.perceivesNothingOf('alice', 'microphone')
  await bob.perceives('alice', 'camera')
  const { tracks } = await server.service.getParticipant(room, 'alice')
  assert.deepEqual(
    tracks.map(({ source }) => source),
    [TrackSource.CAMERA],
  )
  await assert.rejects(() => alice.set('microphone', true))

  const everything = { canPublish: true, canPublishData: true, canSubscribe: true, canPublishSources: [] }
  await server.service.updateParticipant(room, 'alice', { permission: everything })
  await until(
    () => alice.page.evaluate(() => media.room.localParticipant.permissions?.canPublishSources.length === 0),
    'alice may again',
  )
  await alice.set('microphone', true)
  await bob.perceives('alice', 'microphone')
  for (const one of [alice, bob]) await one.leave()
})

test('without canPublish nothing is published, and without canSubscribe nothing is received', async () => {
  const { enter, room, server } = openRoom()
  const viewer = await enter('viewer', { canPublish: false, canPublishData: false })
  const speaker = await enter('speaker', { canSubscribe: false })
  await speaker.set('microphone', true)
  await viewer.perceives('speaker', 'microphone')
  await assert.rejects(() => viewer.set('microphone', true))
  await viewer.page.evaluate(() =>
    media.room.localParticipant.publishData(new TextEncoder().encode('let me in'), { reliable: true }),
  )
  await server.service.sendData(room, new TextEncoder().encode('a mark'), 0, {})
  await until(() => speaker.page.evaluate(() => media.messages.length > 0), 'the mark arrives')
  assert.deepEqual(await speaker.page.evaluate(() => media.messages.map(({ text }) => text)), ['a mark'])

  const other = await enter('other')
  await other.set('microphone', true)
  await viewer.perceives('other', 'microphone')
  assert.equal((await speaker.received('other', 'microphone')).packetsReceived, 0)
  for (const one of [viewer, speaker, other]) await one.leave()
})

test('removal, deletion of the room, and a duplicate identity disconnect a participant', async () => {
  const { enter, room, server } = openRoom()
  const alice = await enter('alice')
  const bob = await enter('bob')
  await alice.set('microphone', true)
  await bob.perceives('alice', 'microphone')

  await server.service.removeParticipant(room, 'alice')
  await until(async () => (await leftBecause(alice)).length > 0, 'alice is out')
  assert.deepEqual(await leftBecause(alice), [DisconnectReason.PARTICIPANT_REMOVED])
  await until(async () => (await bob.events()).includes('participantDisconnected'), 'bob is told')
  await assert.rejects(() => server.service.removeParticipant(room, 'alice'), /participant does not exist/)

  const again = await enter('bob')
  await until(async () => (await leftBecause(bob)).length > 0, 'the first bob is out')
  assert.deepEqual(await leftBecause(bob), [DisconnectReason.DUPLICATE_IDENTITY])
  const participants = await server.service.listParticipants(room)
  assert.deepEqual(
    participants.map(({ identity }) => identity),
    ['bob'],
  )

  await server.service.deleteRoom(room)
  await until(async () => (await leftBecause(again)).length > 0, 'the second bob is out')
  assert.deepEqual(await leftBecause(again), [DisconnectReason.ROOM_DELETED])
  assert.deepEqual(await server.service.listRooms([room]), [])
})

const trackOf = (one: Guest, source: 'microphone') =>
  one.page.evaluate((what) => {
    const found = [...media.room.localParticipant.trackPublications.values()].find((track) => track.source === what)
    return found?.trackSid ?? ''
  }, source)
