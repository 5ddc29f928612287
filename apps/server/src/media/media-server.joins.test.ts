import assert from 'node:assert/strict'
import { once } from 'node:events'
import { afterEach, beforeEach, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { DisconnectReason, TrackSource } from '@livekit/protocol'
import { WebSocket } from 'ws'
import { startServerForTests } from '../../test/media/media-server.ts'
import { RawClient } from '../../test/media/raw-client.ts'
import { SilentClient } from '../../test/media/silent-client.ts'
import { systemClock } from '../platform/clock.ts'
import { pendingLimits } from './room/pending-joins.ts'
import { identityRate, networkRate } from './signaling/join-rates.ts'

/** Time stands still: no budget recovers, and no participant is considered gone. */
let stoppedMs = systemClock.now().getTime()
/** Each test has its own server, because pending joins of all rooms count together. */
let server: Awaited<ReturnType<typeof startServerForTests>>
let silent: SilentClient[]
beforeEach(async () => {
  silent = []
  server = await startServerForTests(() => stoppedMs)
})
afterEach(async () => {
  for (const { socket } of silent) socket.terminate()
  await server.close()
})

let rooms = 0
const newRoom = () => `joins-${++rooms}`

function joinSilently(identity: string, room: string, headers: Record<string, string> = {}): SilentClient {
  const client = new SilentClient(server.url, server.token(identity, { room }), headers)
  silent.push(client)
  return client
}

async function assertTalk(room: string): Promise<void> {
  const alice = await server.enter('alice', { room })
  const bob = await server.enter('bob', { room })
  const messages = bob.listen()
  const { ssrc } = await alice.publish('audio', 'voice', TrackSource.MICROPHONE)
  await bob.takeOffer()
  await alice.speak(ssrc, ['one', 'two', 'three'])
  await until(() => messages.length >= 3)
  assert.deepEqual(messages, ['one', 'two', 'three'])
}

const waitLimitMs = 10_000

async function until(isSo: () => boolean): Promise<void> {
  for (let waitedMs = 0; !isSo(); waitedMs += 10) {
    if (waitedMs > waitLimitMs) throw new Error('It did not come to pass')
    await pause(10)
  }
}

const stillOpen = (clients: readonly SilentClient[]) =>
  clients.filter(({ socket }) => socket.readyState === WebSocket.OPEN).length

test('four hundred joins that never connect keep no one out, in their room or elsewhere', async () => {
  const room = newRoom()
  const mallory = Array.from({ length: 400 }, (_, at) => joinSilently(`mallory ${at}`, room))
  for (const client of mallory) assert.equal(await client.joined, true)
  await until(() => stillOpen(mallory) <= pendingLimits.perOwner)
  assert.equal(stillOpen(mallory), pendingLimits.perOwner)
  const evicted = mallory.filter(({ leave }) => leave !== undefined)
  assert.deepEqual(new Set(evicted.map(({ leave }) => leave?.reason)), new Set([DisconnectReason.JOIN_FAILURE]))
  await assertTalk(newRoom())
  await assertTalk(room)
})

test('counts joins of one host in many rooms together, and spares a host with few', async () => {
  const alice = joinSilently('alice', newRoom(), { 'x-parley-owner': 'alice' })
  assert.equal(await alice.joined, true)
  const mallory = Array.from({ length: pendingLimits.perOwner + 5 }, (_, at) =>
    joinSilently(`mallory ${at}`, `mallory ${at % 10}`, { 'x-parley-owner': 'mallory' }),
  )
  await Promise.all(mallory.map(({ joined }) => joined))
  await until(() => stillOpen(mallory) <= pendingLimits.perOwner)
  assert.equal(stillOpen([alice]), 1)
})

test('a second join replaces the earlier one of the same identity, also while that one is pending', async () => {
  const room = newRoom()
  const clients: SilentClient[] = []
  for (let times = 0; times < 5; times++) {
    const client = joinSilently('mallory', room)
    assert.equal(await client.joined, true)
    clients.push(client)
  }
  await until(() => stillOpen(clients) <= 1)
  assert.deepEqual(
    clients.map(({ leave }) => leave?.reason),
    [...Array.from({ length: 4 }, () => DisconnectReason.DUPLICATE_IDENTITY), undefined],
  )
})

test('refuses a person who joins again and again for a while, and no others', async () => {
  const room = newRoom()
  for (let times = 0; times < identityRate.burst; times++) {
    const client = joinSilently('mallory', room)
    assert.equal(await client.joined, true)
  }
  assert.equal(await joinSilently('mallory', room).refusal, 429)
  const token = server.token('mallory', { room })
  const validated = await fetch(`http://127.0.0.1:${server.port}/rtc/v1/validate?access_token=${token}`)
  assert.equal(validated.status, 429)
  await assertTalk(room)
})

test('refuses a network with more people than a full room for a while, and no others', async () => {
  const room = newRoom()
  const from = (network: string) => ({ 'x-parley-network': network })
  const clients = Array.from({ length: networkRate.burst }, (_, at) =>
    joinSilently(`mallory ${at}`, room, from('203.0.113.1')),
  )
  for (const client of clients) assert.equal(await client.joined, true)
  assert.equal(await joinSilently('mallory', room, from('203.0.113.1')).refusal, 429)
  assert.equal(await joinSilently('bob', room, from('192.0.2.1')).joined, true)
})

test('a room admits as many people as it may hold, and joins that never connect occupy no place', async () => {
  const room = newRoom()
  // The SDK signs its requests with the time of day.
  stoppedMs = systemClock.now().getTime()
  await server.service.createRoom({ name: room, maxParticipants: 2 })
  for (const identity of ['m1', 'm2', 'm3']) assert.equal(await joinSilently(identity, room).joined, true)
  await assertTalk(room)
  const carol = joinSilently('carol', room)
  const [code] = await once(carol.socket, 'close')
  assert.equal(code, 1013)
})

test('connects as many simultaneously admitted people as the room holds', async () => {
  const room = newRoom()
  stoppedMs = systemClock.now().getTime()
  await server.service.createRoom({ name: room, maxParticipants: 2 })
  const clients = ['alice', 'bob', 'carol'].map((identity) =>
    RawClient.join(server.url, server.token(identity, { room })),
  )
  try {
    await until(() => clients.every(({ received }) => received.some((message) => message.case === 'join')))
    const [alice, bob, carol] = clients
    await alice?.connect()
    await bob?.connect()
    // The handshake may end before the client has noticed.
    void carol?.connect().catch(() => {})
    const leave = () => carol?.received.find((message) => message.case === 'leave')?.value
    await until(() => leave() !== undefined)
    assert.deepEqual(leave()?.reason, DisconnectReason.JOIN_FAILURE)
    const messages = [alice, bob].flatMap((one) => one?.received.map((message) => message.case))
    assert.ok(!messages.includes('leave'))
  } finally {
    await Promise.all(clients.map((client) => client.close()))
  }
})
