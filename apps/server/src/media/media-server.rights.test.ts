import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import {
  DataPacket,
  DisconnectReason,
  LeaveRequest_Action,
  MuteTrackRequest,
  RequestResponse_Reason,
  TrackSource,
  UpdateParticipantMetadata,
  UserPacket,
} from '@livekit/protocol'
import { startServerForTests } from '../../test/media/media-server.ts'
import type { RawClient } from '../../test/media/raw-client.ts'
import { verifyToken } from './room/livekit-token.ts'

const server = await startServerForTests()
after(() => server.close())

/** The time within which a forwarded packet would arrive. */
const quietMs = 150
const words = (word: string) => Array.from({ length: 5 }, (_, at) => `${word} ${at}`)
let rooms = 0
const newRoom = () => `rights-${++rooms}`

/** Alice speaks, Bob listens. */
async function callOfTwo(room: string) {
  const alice = await server.enter('alice', { room })
  const bob = await server.enter('bob', { room })
  const audio = bob.listen()
  const { ssrc, sid } = await alice.publish('audio', 'voice', TrackSource.MICROPHONE)
  await bob.takeOffer()
  return { alice, bob, audio, ssrc, sid }
}

async function assertReceives(audio: string[], speak: () => Promise<void>, expected: readonly string[]): Promise<void> {
  audio.length = 0
  await speak()
  await pause(quietMs)
  assert.deepEqual(audio, expected)
}

test('forwards audio from one participant to the other', async () => {
  const { alice, audio, ssrc } = await callOfTwo(newRoom())
  await assertReceives(audio, () => alice.speak(ssrc, words('hello')), words('hello'))
})

test('drops audio of a participant who is muted by the server and keeps sending', async () => {
  const room = newRoom()
  const { alice, audio, ssrc, sid } = await callOfTwo(room)
  await server.service.mutePublishedTrack(room, 'alice', sid, true)
  assert.equal((await alice.take('mute')).muted, true)
  await assertReceives(audio, () => alice.speak(ssrc, words('psst')), [])
  alice.send({ case: 'mute', value: new MuteTrackRequest({ sid, muted: false }) })
  await pause(quietMs)
  await assertReceives(audio, () => alice.speak(ssrc, words('here')), words('here'))
})

test('drops audio of a participant who loses the right to a source, whatever it sends, offers or requests', async () => {
  const room = newRoom()
  const { alice, bob, audio, ssrc, sid } = await callOfTwo(room)
  const permission = {
    canPublish: true,
    canPublishData: true,
    canSubscribe: true,
    canPublishSources: [TrackSource.CAMERA],
  }
  await server.service.updateParticipant(room, 'alice', { permission })
  assert.equal((await alice.take('trackUnpublished')).trackSid, sid)
  await assertReceives(audio, () => alice.speak(ssrc, words('still')), [])

  alice.send({ case: 'mute', value: new MuteTrackRequest({ sid, muted: false }) })
  alice.announce('audio', 'again', TrackSource.MICROPHONE)
  const { reason } = await alice.take('requestResponse')
  assert.ok([RequestResponse_Reason.NOT_FOUND, RequestResponse_Reason.NOT_ALLOWED].includes(reason))
  const again = await alice.offerTrack('audio', 'again')
  await assertReceives(audio, () => alice.speak(again, words('again')), [])
  // Audio announced as a camera is neither.
  alice.announce('audio', 'disguised', TrackSource.CAMERA)
  const disguised = await alice.offerTrack('audio', 'disguised')
  await assertReceives(audio, () => alice.speak(disguised, words('disguised')), [])
  await assertReceives(audio, () => alice.speak(4711, words('unknown')), [])
  const { tracks } = await server.service.getParticipant(room, 'alice')
  assert.deepEqual(tracks, [])
  assert.ok(bob.received.length > 0)
})

test("a refreshed token grants the participant's current rights", async () => {
  const room = newRoom()
  const { alice } = await callOfTwo(room)
  const permission = {
    canPublish: true,
    canPublishData: false,
    canSubscribe: true,
    canPublishSources: [TrackSource.CAMERA],
  }
  await alice.take('refreshToken')
  await server.service.updateParticipant(room, 'alice', { permission })
  const { video } = verifyToken(await alice.take('refreshToken'), server.apiKey, Date.now()) ?? {}
  assert.deepEqual(video?.canPublishSources, ['camera'])
  assert.equal(video?.canPublishData, false)
  assert.equal(video?.roomAdmin, false)
})

test('disconnects a removed participant from signalling and from media', async () => {
  const room = newRoom()
  const { alice, audio, ssrc } = await callOfTwo(room)
  const closed = new Promise((resolve) => alice.socket.once('close', resolve))
  await server.service.removeParticipant(room, 'alice')
  const { reason, action } = await alice.take('leave')
  assert.deepEqual([reason, action], [DisconnectReason.PARTICIPANT_REMOVED, LeaveRequest_Action.DISCONNECT])
  await closed
  await assertReceives(audio, () => alice.speak(ssrc, words('ghost')), [])
})

test('sends neither a section nor a packet to a participant who may not subscribe', async () => {
  const room = newRoom()
  const { alice, ssrc } = await callOfTwo(room)
  const carol = await server.enter('carol', { room, canSubscribe: false })
  const audio = carol.listen()
  const answer = await carol.negotiate()
  assert.deepEqual(answer.midToTrackId, {})
  await assertReceives(audio, () => alice.speak(ssrc, words('secret')), [])
})

test('sends data in the sender’s own name, and only with the right to send it', async () => {
  const room = newRoom()
  const alice = await server.enter('alice', { room })
  const bob = await server.enter('bob', { room, canPublishData: false })
  const carol = await server.enter('carol', { room })
  const read = dataOf(carol)
  await sendData(
    bob,
    new DataPacket({ value: { case: 'user', value: new UserPacket({ payload: Buffer.from('bob') }) } }),
  )
  await sendData(alice, new DataPacket({ value: { case: 'speaker', value: { speakers: [] } } }))
  const forged = new UserPacket({ payload: Buffer.from('alice'), participantIdentity: 'bob', participantSid: 'PA_bob' })
  await sendData(alice, new DataPacket({ participantIdentity: 'bob', value: { case: 'user', value: forged } }))
  await pause(quietMs)
  assert.deepEqual(
    read.map(({ participantIdentity, value }) => [
      participantIdentity,
      value.case,
      value.case === 'user' ? [value.value.participantIdentity, Buffer.from(value.value.payload).toString()] : [],
    ]),
    [['alice', 'user', ['alice', 'alice']]],
  )
})

test('sends data only under the topics that the service allows a participant, whatever kind of data it is', async () => {
  const room = newRoom()
  const alice = await server.enter('alice', { room })
  const carol = await server.enter('carol', { room })
  const read = dataOf(carol)
  const send = async () => {
    read.length = 0
    for (const topic of ['parley', 'parley-chat', '', 'parley-chat parley', undefined]) {
      const user = new UserPacket({ payload: Buffer.from(topic ?? 'none'), ...(topic !== undefined && { topic }) })
      await sendData(alice, new DataPacket({ value: { case: 'user', value: user } }))
    }
    const message = { id: '1', timestamp: 0n, message: 'hello', deleted: false, generated: false }
    await sendData(alice, new DataPacket({ value: { case: 'chatMessage', value: message } }))
    const header = { streamId: '1', topic: 'parley', timestamp: 0n, mimeType: 'text/plain' }
    await sendData(alice, new DataPacket({ value: { case: 'streamHeader', value: header } }))
    await pause(quietMs)
    return read.map(({ value }) => (value.case === 'user' ? Buffer.from(value.value.payload).toString() : value.case))
  }
  const all = ['parley', 'parley-chat', '', 'parley-chat parley', 'none', 'chatMessage', 'streamHeader']
  assert.deepEqual(await send(), all)
  const allow = (topics: string) =>
    server.service.updateParticipant(room, 'alice', { attributes: { 'parley.topics': topics } })
  await allow('parley parley-reactions')
  assert.deepEqual(await send(), ['parley'])
  // A participant cannot change what the service has set.
  alice.send({ case: 'updateMetadata', value: new UpdateParticipantMetadata({ attributes: { 'parley.topics': '' } }) })
  assert.deepEqual(await send(), ['parley'])
  await allow('')
  assert.deepEqual(await send(), all)
})

test('a participant who may publish nothing publishes nothing', async () => {
  const room = newRoom()
  const { alice, audio, ssrc, sid } = await callOfTwo(room)
  const permission = { canPublish: false, canPublishData: true, canSubscribe: true, canPublishSources: [] }
  await server.service.updateParticipant(room, 'alice', { permission })
  assert.equal((await alice.take('trackUnpublished')).trackSid, sid)
  alice.announce('video', 'face', TrackSource.CAMERA)
  assert.equal((await alice.take('requestResponse')).reason, RequestResponse_Reason.NOT_ALLOWED)
  await assertReceives(audio, () => alice.speak(ssrc, words('still')), [])
})

test('does not show a hidden participant to others', async () => {
  const room = newRoom()
  const alice = await server.enter('alice', { room })
  await server.enter('watcher', { room, hidden: true })
  const bob = await server.enter('bob', { room })
  const updates = [...alice.received, ...bob.received].flatMap((message) => {
    if (message.case === 'update') return message.value.participants
    return message.case === 'join' ? message.value.otherParticipants : []
  })
  assert.ok(!updates.some(({ identity }) => identity === 'watcher'))
  assert.ok(updates.some(({ identity }) => identity === 'bob'))
})

async function sendData(client: RawClient, packet: DataPacket): Promise<void> {
  const channel = client.data
  while (channel?.readyState !== 'open') await pause(10)
  channel.send(Buffer.from(packet.toBinary()))
}

function dataOf(client: RawClient): DataPacket[] {
  const packets: DataPacket[] = []
  client.data?.onMessage.subscribe((message) => packets.push(DataPacket.fromBinary(Buffer.from(message))))
  return packets
}
