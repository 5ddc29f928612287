import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { setTimeout as pause, setImmediate as yieldTurn } from 'node:timers/promises'
import { DataPacket, DisconnectReason, Ping, TrackSource, UserPacket } from '@livekit/protocol'
import { dataTopics } from '@parley/contract'
import { startServerForTests } from '../../test/media/media-server.ts'
import type { RawClient } from '../../test/media/raw-client.ts'
import { systemClock } from '../platform/clock.ts'
import { maxAbusiveSeconds, maxDroppedPerSecond, peerRates } from './peer/peer-budget.ts'
import { captionRates, maxCaptionBytes } from './room/caption-budget.ts'

/** The test advances the time, with which budgets recover. */
let currentMs = systemClock.now().getTime()
const server = await startServerForTests(() => currentMs)
after(() => server.close())

let rooms = 0
const newRoom = () => `floods-${++rooms}`
const waitLimitMs = 20_000

async function until(isSo: () => boolean): Promise<void> {
  for (let waitedMs = 0; !isSo(); waitedMs += 10) {
    if (waitedMs > waitLimitMs) throw new Error('It did not come to pass')
    await pause(10)
  }
}

/** Mallory among others, and the messages that Bob receives. */
async function meet() {
  const room = newRoom()
  const mallory = await server.enter('mallory', { room })
  const bob = await server.enter('bob', { room })
  const texts: string[] = []
  const listen = () =>
    bob.data?.onMessage.subscribe((octets) => {
      const { value } = DataPacket.fromBinary(octets as Buffer)
      if (value.case === 'user') texts.push(Buffer.from(value.value.payload).toString())
    })
  await until(() => mallory.data?.readyState === 'open' && bob.data?.readyState === 'open')
  listen()
  return { room, mallory, bob, texts }
}

/** Wait until nothing more arrives. */
async function waitForReplies(texts: readonly string[]): Promise<void> {
  for (let before = -1; before !== texts.length; ) {
    before = texts.length
    await pause(500)
  }
}

const say = (client: RawClient, text: string) =>
  client.data?.send(
    Buffer.from(
      new DataPacket({ value: { case: 'user', value: new UserPacket({ payload: Buffer.from(text) }) } }).toBinary(),
    ),
  )

async function assertAnswers(client: RawClient): Promise<void> {
  client.send({ case: 'pingReq', value: new Ping({ timestamp: 1n }) })
  await client.take('pongResp')
}

test('delays messages beyond the budget, and delivers them in order, complete', async () => {
  const { mallory, texts } = await meet()
  const said = Array.from({ length: 2 * peerRates.messages.burst }, (_, at) => `message ${at}`)
  for (const text of said) say(mallory, text)
  // One recipient makes each message cost a twentieth more.
  await until(() => texts.length >= peerRates.messages.burst / 1.1)
  // A datagram may have carried more than the budget allowed.
  await waitForReplies(texts)
  assert.ok(texts.length < peerRates.messages.burst + 100, String(texts.length))
  for (let waited = 0; texts.length < said.length && waited < 200; waited++) {
    currentMs += 100
    await pause(100)
  }
  assert.deepEqual(texts, said)
})

test('chat, hands and pointers stay far below every limit', async () => {
  const { mallory, texts } = await meet()
  const said = Array.from({ length: 60 }, (_, at) => `pointer ${at}`)
  for (const text of said) say(mallory, text)
  await until(() => texts.length === said.length)
  assert.deepEqual(texts, said)
})

test('drops captions of a client beyond their rate, and forwards its chat', async () => {
  const { mallory, texts } = await meet()
  const write = (text: string, topic: string) => {
    const user = new UserPacket({ payload: Buffer.from(text), topic })
    mallory.data?.send(Buffer.from(new DataPacket({ value: { case: 'user', value: user } }).toBinary()))
  }
  for (let at = 0; at < captionRates.burst + 40; at++) write(`caption ${at}`, dataTopics.captions)
  write('long'.padEnd(maxCaptionBytes + 1), dataTopics.captions)
  write('chat', dataTopics.chat)
  await until(() => texts.includes('chat'))
  assert.deepEqual(texts, [...Array.from({ length: captionRates.burst }, (_, at) => `caption ${at}`), 'chat'])
})

test('a message costs its sender more in a large room, by the number of recipients', async () => {
  const { room, mallory, texts } = await meet()
  const others = await Promise.all(['carol', 'dave', 'erin'].map((identity) => server.enter(identity, { room })))
  assert.equal(others.length, 3)
  // Four recipients cost a fifth of a message more.
  const affordable = Math.ceil(peerRates.messages.burst / 1.2)
  for (let at = 0; at < affordable + 100; at++) say(mallory, `message ${at}`)
  await until(() => texts.length >= affordable - 1)
  await waitForReplies(texts)
  assert.ok(texts.length < affordable + 70, String(texts.length))
})

const chunkOf = (type: number, body: Buffer, length = body.length + 4) =>
  Buffer.concat([Buffer.from([type, 0, length >> 8, length & 0xff]), body])
const manyGaps = Buffer.alloc(12 + 4 * 250)
manyGaps.writeUInt16BE(250, 8)
for (let at = 12; at < manyGaps.length; at += 4) manyGaps.writeUInt32BE(0x0001_ffff, at)

const poison: [string, Buffer][] = [
  ['a chunk without a length', chunkOf(4, Buffer.alloc(0), 0)],
  ['a parameter without a length', chunkOf(4, Buffer.from([0, 1, 0, 0]))],
  ['an acknowledgement of sixteen million packets that were never sent', chunkOf(3, manyGaps)],
]
for (const [what, bytes] of poison) {
  test(`drops ${what}, in authentic packets, and serves all others`, async () => {
    const { mallory, bob } = await meet()
    const alice = await server.enter('alice', { room: newRoom() })
    const sctp = mallory.peer.sctpTransport?.sctp as unknown as {
      lastReceivedTsn: number
      sendChunk(chunk: { bytes: Buffer }): Promise<void>
    }
    // As if everything that the server sent had arrived.
    if (bytes[0] === 3) bytes.writeUInt32BE(sctp.lastReceivedTsn >>> 0, 4)
    for (let times = 0; times < 20; times++) await sctp.sendChunk({ bytes })
    await pause(100)
    await assertAnswers(alice)
    await assertAnswers(bob)
  })
}

test('removes a client that persistently exceeds every budget, with the reason, and serves others meanwhile', async () => {
  const { mallory, bob } = await meet()
  const alice = await server.enter('alice', { room: newRoom() })
  const connection = mallory.peer.dtlsTransports[0]?.iceTransport.connection
  // Begins as application data, but is not.
  const rubbish = Buffer.alloc(200, 0x17)
  for (let second = 0; second <= maxAbusiveSeconds + 1; second++) {
    currentMs += 1000
    for (let count = 0; count < 2 * maxDroppedPerSecond; count++) {
      await connection?.send(rubbish)
      if (count % 50 === 0) await yieldTurn()
    }
    await pause(50)
    await assertAnswers(alice)
  }
  await until(() => mallory.received.some((message) => message.case === 'leave'))
  const { reason } = await mallory.take('leave')
  assert.equal(reason, DisconnectReason.USER_REJECTED)
  await assertAnswers(bob)
})

test('drops media beyond the budget before decrypting it', async () => {
  const { mallory, bob } = await meet()
  const audio = bob.listen()
  const { ssrc } = await mallory.publish('audio', 'voice', TrackSource.MICROPHONE)
  await bob.takeOffer()
  await mallory.speak(ssrc, ['first'])
  await until(() => audio.length === 1)
  const connection = mallory.peer.dtlsTransports[0]?.iceTransport.connection
  const forged = Buffer.alloc(200, 0x80)
  for (let count = 0; count < 2 * peerRates.media.burst; count++) {
    await connection?.send(forged)
    if (count % 50 === 0) await yieldTurn()
  }
  await pause(200)
  await mallory.speak(ssrc, ['beyond the budget'])
  await pause(200)
  assert.deepEqual(audio, ['first'])
  currentMs += 1000
  await mallory.speak(ssrc, ['within it again'])
  await until(() => audio.length === 2)
  assert.deepEqual(audio, ['first', 'within it again'])
})

test('ends the session after far too many requests, with the reason', async () => {
  const { mallory, bob } = await meet()
  const closed = once(mallory.socket, 'close')
  for (let at = 0; at < 1000; at++) mallory.send({ case: 'ping', value: 1n })
  await closed
  const { reason } = await mallory.take('leave')
  assert.equal(reason, DisconnectReason.USER_REJECTED)
  await assertAnswers(bob)
})

test('reads requests beyond the budget later, and loses none', async () => {
  const { mallory } = await meet()
  const before = mallory.received.filter((message) => message.case === 'pong').length
  for (let at = 0; at < 700; at++) mallory.send({ case: 'ping', value: 1n })
  const answered = () => mallory.received.filter((message) => message.case === 'pong').length - before
  await until(() => {
    currentMs += 10
    return answered() === 700
  })
  assert.ok(!mallory.received.some((message) => message.case === 'leave'))
})
