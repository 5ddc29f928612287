import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { DataPacket, TrackSource, UpdateParticipantMetadata, UpdateSubscription, UserPacket } from '@livekit/protocol'
import { startServerForTests } from '../../test/media/media-server.ts'
import type { RawClient } from '../../test/media/raw-client.ts'

const server = await startServerForTests()
after(() => server.close())

/** The time within which a forwarded packet would arrive. */
const quietMs = 150
const words = (word: string) => Array.from({ length: 5 }, (_, at) => `${word} ${at}`)
let rooms = 0
const newRoom = () => `breakout-${++rooms}`

const attribute = 'parley.breakout-room'
const move = (room: string, identity: string, breakoutRoom: string) =>
  server.service.updateParticipant(room, identity, { attributes: { [attribute]: breakoutRoom } })

/** Alice and Carol speak, Bob and Dave listen. */
async function callOfFour(room: string) {
  const alice = await server.enter('alice', { room })
  const carol = await server.enter('carol', { room })
  const bob = await server.enter('bob', { room })
  const dave = await server.enter('dave', { room })
  const received = { bob: bob.listen(), dave: dave.listen() }
  const ofAlice = await alice.publish('audio', 'voice-of-alice', TrackSource.MICROPHONE)
  const ofCarol = await carol.publish('audio', 'voice-of-carol', TrackSource.MICROPHONE)
  await offerRoom(bob, dave)
  return { alice, bob, carol, dave, received, ofAlice, ofCarol }
}

type Received = Record<'bob' | 'dave', string[]>

/** Offer room for one more track, twice: the first answer ends what the client no longer receives. */
async function offerRoom(...clients: RawClient[]) {
  for (const client of clients) {
    client.peer.addTransceiver('audio', { direction: 'recvonly' })
    await client.negotiate()
    await client.negotiate()
  }
}

async function assertReceived(received: Received, speak: () => Promise<void>, expected: Received): Promise<void> {
  for (const packets of Object.values(received)) packets.length = 0
  await speak()
  await pause(quietMs)
  assert.deepEqual(received, expected)
}

test('forwards no packet from one breakout room to another, whatever the client asks for, and again after the return', async () => {
  const room = newRoom()
  const { alice, bob, carol, dave, received, ofAlice, ofCarol } = await callOfFour(room)
  const speakBoth = async () => {
    await alice.speak(ofAlice.ssrc, words('alice'))
    await carol.speak(ofCarol.ssrc, words('carol'))
  }
  const both = [...words('alice'), ...words('carol')]
  await assertReceived(received, speakBoth, { bob: both, dave: both })

  for (const [identity, breakoutRoom] of Object.entries({ alice: 'one', bob: 'one', carol: 'two', dave: 'two' }))
    await move(room, identity, breakoutRoom)
  // The sections that the clients have not given up yet carry nothing more.
  await assertReceived(received, speakBoth, { bob: [], dave: [] })
  for (const client of [bob, dave]) {
    const trackSids = [ofAlice.sid, ofCarol.sid]
    client.send({ case: 'subscription', value: new UpdateSubscription({ trackSids, subscribe: true }) })
    // A participant cannot change what the service has set.
    for (const attributes of [{ [attribute]: '' }, { [attribute]: 'one' }, { [attribute]: 'two' }])
      client.send({ case: 'updateMetadata', value: new UpdateParticipantMetadata({ attributes }) })
  }
  await offerRoom(bob, dave)
  await assertReceived(received, speakBoth, { bob: words('alice'), dave: words('carol') })

  await move(room, 'bob', 'two')
  await move(room, 'dave', '')
  await offerRoom(bob, dave)
  await assertReceived(received, speakBoth, { bob: words('carol'), dave: [] })

  for (const identity of ['alice', 'bob', 'carol']) await move(room, identity, '')
  await offerRoom(bob, dave)
  await assertReceived(received, speakBoth, { bob: both, dave: both })
})

test('a participant who comes back with an older token is in the breakout room of the last move', async () => {
  const room = newRoom()
  const alice = await server.enter('alice', { room })
  const { ssrc } = await alice.publish('audio', 'voice', TrackSource.MICROPHONE)
  const token = server.token('bob', { room })
  const first = await server.enter('bob', { room })
  await move(room, 'bob', 'one')
  await first.close()
  const again = server.join(token)
  await again.connect()
  assert.equal((await server.service.getParticipant(room, 'bob')).attributes[attribute], 'one')
  const audio = again.listen()
  await again.negotiate()
  await alice.speak(ssrc, words('secret'))
  await pause(quietMs)
  assert.deepEqual(audio, [])
})

test('a token puts a participant into a breakout room, and older tokens hold no longer', async () => {
  const room = newRoom()
  await server.enter('alice', { room })
  const old = server.token('bob', { room })
  await pause(1_000 - (Date.now() % 1_000))
  const bob = server.join(server.token('bob', { room }, { [attribute]: 'one' }))
  await bob.connect()
  assert.equal((await server.service.getParticipant(room, 'bob')).attributes[attribute], 'one')
  await bob.close()
  await server.join(old).connect()
  assert.equal((await server.service.getParticipant(room, 'bob')).attributes[attribute], 'one')
})

test('data stays in its breakout room, also when it names a recipient elsewhere', async () => {
  const room = newRoom()
  const { alice, bob, carol } = await callOfFour(room)
  await move(room, 'alice', 'one')
  await move(room, 'bob', 'one')
  for (const client of [bob, carol]) await opened(client)
  const read = [bob, carol].map(dataOf)
  await send(alice, new UserPacket({ payload: Buffer.from('to all'), topic: 'parley-chat' }))
  for (const identity of ['bob', 'carol']) {
    const destinationIdentities = [identity]
    await send(alice, new UserPacket({ payload: Buffer.from(identity), topic: 'parley-chat', destinationIdentities }))
  }
  await move(room, 'carol', 'one')
  await send(alice, new UserPacket({ payload: Buffer.from('together'), topic: 'parley-chat' }))
  await pause(quietMs)
  assert.deepEqual(read, [['to all', 'bob', 'together'], ['together']])
})

async function opened({ data }: RawClient) {
  while (data?.readyState !== 'open') await pause(10)
  return data
}

async function send(client: RawClient, user: UserPacket): Promise<void> {
  const channel = await opened(client)
  channel.send(Buffer.from(new DataPacket({ value: { case: 'user', value: user } }).toBinary()))
}

function dataOf(client: RawClient): string[] {
  const texts: string[] = []
  client.data?.onMessage.subscribe((message) => {
    const { value } = DataPacket.fromBinary(Buffer.from(message))
    if (value.case === 'user') texts.push(Buffer.from(value.value.payload).toString())
  })
  return texts
}
