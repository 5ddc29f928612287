import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { SessionDescription, TrackSource } from '@livekit/protocol'
import { AccessToken } from 'livekit-server-sdk'
import { WebSocket } from 'ws'
import { startServerForTests } from '../../test/media/media-server.ts'
import { RawClient } from '../../test/media/raw-client.ts'

const server = await startServerForTests()
after(() => server.close())

const { key, secret } = server.apiKey
let rooms = 0
const newRoom = () => `hostile-${++rooms}`

/** The call of the others continues. */
async function assertServes(room: string): Promise<void> {
  const alice = await server.enter('alice', { room })
  const bob = await server.enter('bob', { room })
  const audio = bob.listen()
  const { ssrc } = await alice.publish('audio', 'voice', TrackSource.MICROPHONE)
  await bob.takeOffer()
  await alice.speak(ssrc, ['one', 'two', 'three'])
  await pause(100)
  assert.deepEqual(audio, ['one', 'two', 'three'])
}

const sdkToken = async (signedWith: string, issuer: string, ttl: number, roomJoin = true) => {
  const token = new AccessToken(issuer, signedWith, { identity: 'mallory', ttl })
  token.addGrant({ roomJoin, room: 'any' })
  return token.toJwt()
}
const unsigned = [
  { alg: 'none', typ: 'JWT' },
  { iss: key, sub: 'mallory', exp: 9_999_999_999, video: { roomJoin: true, room: 'any' } },
]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.')

const refusals = [
  ['no token', '', 401],
  ['no JWT', 'a.b.c', 401],
  ['a token without a signature', `${unsigned}.`, 401],
  ['a token of another secret', await sdkToken('another secret', key, 60), 401],
  ['a token of another key', await sdkToken(secret, 'another', 60), 401],
  ['a token that is over', await sdkToken(secret, key, -60), 401],
  ['a token that is not for joining', await sdkToken(secret, key, 60, false), 401],
] as const
for (const [what, token, status] of refusals) {
  test(`refuses a connection with ${what}`, async () => {
    const client = RawClient.join(server.url, token)
    const [, response] = await once(client.socket, 'unexpected-response')
    assert.equal(response.statusCode, status)
    const validated = await fetch(`http://127.0.0.1:${server.port}/rtc/v1/validate?access_token=${token}`)
    assert.equal(validated.status, status)
    const answer = await validated.text()
    assert.ok(token === '' || !answer.includes(token))
  })
}

test("the SDK's token opens a room, and a missing join request is reported", async () => {
  const token = await sdkToken(secret, key, 60)
  const address = `http://127.0.0.1:${server.port}/rtc/v1/validate?access_token=${token}`
  const { status } = await fetch(address)
  assert.equal(status, 400)
  const client = RawClient.join(server.url, token)
  assert.equal((await client.take('join')).participant?.identity, 'mallory')
  await client.close()
})

test('refuses the older signalling, with two peer connections, at once', async () => {
  const socket = new WebSocket(`${server.url}/rtc?access_token=${await sdkToken(secret, key, 60)}`)
  socket.on('error', () => {})
  const [, response] = await once(socket, 'unexpected-response')
  assert.equal(response.statusCode, 404)
})

const rubbish: [string, (client: RawClient) => void][] = [
  ['octets that are no message', (client) => client.socket.send(Buffer.alloc(100, 0xff))],
  ['text that is no JSON', (client) => client.socket.send('{')],
  ['a message past the limit', (client) => client.socket.send(Buffer.alloc(3 * 1024 * 1024))],
  ['an offer without sections', (client) => offer(client, 'v=0\r\n')],
  ['an offer of ten thousand sections', (client) => offer(client, `v=0\r\n${section(0).repeat(10_000)}`)],
  ['an offer with one section twice', (client) => offer(client, `v=0\r\n${section(0)}${section(0)}`)],
  [
    'a thousand requests at once',
    (client) => {
      for (let at = 0; at < 1000; at++) client.send({ case: 'ping', value: 1n })
    },
  ],
]
const offer = (client: RawClient, sdp: string) =>
  client.send({ case: 'offer', value: new SessionDescription({ type: 'offer', sdp, id: 9 }) })
const section = (mid: number) => `m=audio 9 UDP/TLS/RTP/SAVPF 96\r\na=mid:${mid}\r\na=rtpmap:96 opus/48000/2\r\n`

for (const [what, send] of rubbish) {
  test(`${what} ends the session of its sender, and affects no other`, async () => {
    const room = newRoom()
    const mallory = await server.enter('mallory', { room })
    const closed = once(mallory.socket, 'close')
    send(mallory)
    await closed
    await assertServes(room)
  })
}

test('drops datagrams at the UDP port that are not media', async () => {
  const room = newRoom()
  const mallory = await server.enter('mallory', { room })
  const [, port = '0'] = /udp \d+ \S+ (\d+) typ host/.exec(mallory.peer.remoteDescription?.sdp ?? '') ?? []
  const stranger = createSocket('udp4')
  const stun = Buffer.from('000100002112a442000000000000000000000000', 'hex')
  const lying = Buffer.from('0001ffff2112a442000000000000000000000000', 'hex')
  const integrity = Buffer.concat([
    Buffer.from('000100042112a442', 'hex'),
    Buffer.alloc(12),
    Buffer.from('00080001', 'hex'),
  ])
  const packets = [Buffer.alloc(0), Buffer.alloc(1), stun, lying, integrity]
  for (const first of [0x16, 0x17, 0x80, 0xff]) packets.push(Buffer.alloc(64, first), Buffer.alloc(2000, first))
  for (const packet of packets) stranger.send(packet, Number(port), '127.0.0.1')
  // The same from the client itself, whose address is verified.
  const transport = mallory.peer.dtlsTransports[0]
  for (const packet of packets) await transport?.iceTransport.connection.send(packet)
  await pause(100)
  stranger.close()
  await mallory.negotiate()
  await assertServes(room)
})

test('drops authentic packets with invalid content', async () => {
  const room = newRoom()
  const mallory = await server.enter('mallory', { room })
  const { ssrc } = await mallory.publish('video', 'picture', TrackSource.CAMERA)
  const transport = mallory.peer.dtlsTransports[0]
  const connection = transport?.iceTransport.connection
  assert.ok(transport !== undefined && connection !== undefined)
  for (let length = 0; length < 40; length++) {
    const payload = Buffer.from(Array.from({ length }, (_, at) => (at * 37 + length * 91) & 0xff))
    await mallory.speak(ssrc, [payload.toString('latin1')], 98)
    const control = Buffer.concat([
      Buffer.from([0x80 | (length & 0x1f), 200 + (length % 8), 0, length & 3, 0, 0, 0, 1]),
      payload,
    ])
    await connection.send(transport.srtcp.encrypt(control))
  }
  mallory.data?.send(Buffer.alloc(1000, 0xff))
  mallory.data?.send('text')
  await mallory.negotiate()
  await assertServes(room)
})

test("allows only a session's own client to resume it", async () => {
  const room = newRoom()
  const alice = await server.enter('alice', { room })
  const [joined] = alice.received
  assert.ok(joined?.case === 'join')
  const sid = joined.value.participant?.sid ?? ''
  const mallory = RawClient.join(server.url, server.token('mallory', { room }), sid)
  const { action } = await mallory.take('leave')
  assert.equal(action, 2)
  const again = RawClient.join(server.url, server.token('alice', { room }), sid)
  await again.take('reconnect')
  const { participants } = await again.take('update')
  assert.deepEqual(
    participants.map(({ identity }) => identity),
    ['alice'],
  )
  await Promise.all([mallory.close(), again.close()])
})

test('requires a token that administers the room for calls of the room service', async () => {
  const room = newRoom()
  await server.enter('alice', { room })
  const call = (token: string, method: string) =>
    fetch(`http://127.0.0.1:${server.port}/twirp/livekit.RoomService/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ room, identity: 'alice' }),
    })
  const statuses = async (token: string) =>
    (await Promise.all(['RemoveParticipant', 'ListRooms', 'DeleteRoom'].map((one) => call(token, one)))).map(
      ({ status }) => status,
    )
  assert.deepEqual(await statuses(''), [401, 401, 401])
  assert.deepEqual(await statuses(server.token('alice', { room })), [403, 403, 403])
  assert.deepEqual(await statuses(server.token('admin', { room: 'other', roomAdmin: true })), [403, 403, 403])
  assert.equal((await call(server.token('admin', { room, roomAdmin: true }), 'constructor')).status, 404)
  assert.equal((await call(server.token('admin', { room, roomAdmin: true }), 'RemoveParticipant')).status, 200)
})

test('a connection that never sends anything ends with the server', async () => {
  const idle = connect(server.port, '127.0.0.1')
  await once(idle, 'connect')
  idle.write('GET /rtc/v1 HTTP/1.1\r\n')
  idle.destroy()
  await assertServes(newRoom())
})
