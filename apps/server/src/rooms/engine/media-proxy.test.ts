import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { systemClock } from '../../platform/clock.ts'
import { createEncryption } from '../../platform/encryption.ts'
import { createHttp } from '../../platform/http/http.ts'
import { createLog } from '../../platform/log.ts'
import { secureRandom } from '../../platform/random.ts'
import { createEmbeddedMedia, type EmbeddedMedia } from './embedded-media.ts'
import { isMediaUpgrade, serveEmbeddedMedia } from './media-proxy.ts'

const program = fileURLToPath(new URL('../../../test/rooms/stub-media-engine.ts', import.meta.url))
const config = { baseUrl: 'http://parley.test', mediaUdpPort: 30_000 }
const log = createLog({ level: 'silent' })

/**
 * The engine's stub behind the proxy; clients with the token `good` are forwarded. `seen`: what the proxy knows of the
 * engine.
 */
async function setUp(seen = (engine: EmbeddedMedia) => engine, network: string | undefined = undefined) {
  const http = createHttp({
    baseUrl: config.baseUrl,
    trustProxy: [],
    clock: systemClock,
    random: secureRandom,
    log,
    isUpgrade: isMediaUpgrade,
  })
  const encryption = createEncryption(secureRandom.bytes(32))
  const death = Promise.withResolvers<void>()
  const engine = createEmbeddedMedia({
    config,
    encryption,
    log,
    program,
    onEvent() {},
    onDeath: death.resolve,
  })
  const proxy = serveEmbeddedMedia(http, {
    engine: seen(engine),
    mayConnect: async (token) => (token === 'good' ? { hostId: 'the host' } : undefined),
    networkOf: () => network,
  })
  await http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = http.server.address() as AddressInfo
  after(async () => {
    proxy.stop()
    await engine.stop()
    await http.close()
  })
  const connections = () =>
    new Promise<number>((report) => http.server.getConnections((_error, amount) => report(amount)))
  return { engine, proxy, port, base: `127.0.0.1:${port}`, death: death.promise, connections }
}

/** The status of a refused handshake, or the first message after an accepted one. */
async function open(address: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(address, { headers })
  const messages: string[] = []
  socket.on('message', (data) => messages.push(String(data)))
  return new Promise<{ status: number; socket: WebSocket; messages: string[] }>((report, fail) => {
    socket.once('message', () => report({ status: 101, socket, messages }))
    socket.once('unexpected-response', (_request, { statusCode = 0 }) =>
      report({ status: statusCode, socket, messages }),
    )
    socket.once('error', fail)
  })
}

test('forwards a socket whole, without the path’s prefix, cookies or other headers', async () => {
  const { base } = await setUp()
  for (const [path, inner] of [
    ['/media/rtc', '/rtc'],
    ['/media/rtc/v1', '/rtc/v1'],
  ]) {
    const sent = { cookie: 'parley_session=hidden', authorization: 'hidden', 'x-forwarded-for': '192.0.2.1' }
    const { socket, messages } = await open(`ws://${base}${path}?access_token=good&sdk=js&q=%2Fa`, sent)
    const { url, headers } = JSON.parse(messages[0] ?? '')
    assert.equal(url, `${inner}?access_token=good&sdk=js&q=%2Fa`)
    const names = [
      'connection',
      'host',
      'sec-websocket-extensions',
      'sec-websocket-key',
      'sec-websocket-version',
      'upgrade',
      'x-parley-owner',
    ]
    assert.deepEqual(Object.keys(headers).toSorted(), names)
    socket.send('x'.repeat(200_000))
    await once(socket, 'message')
    assert.equal(messages.at(-1), `echo ${'x'.repeat(200_000)}`)
    socket.close(4001)
    assert.equal((await once(socket, 'close'))[0], 4001)
  }
})

test('sets host and network for the engine, whatever the client sends', async () => {
  const { base } = await setUp(undefined, '192.0.2.1')
  const lies = { 'x-parley-owner': 'mallory', 'x-parley-network': 'nowhere' }
  const { socket, messages } = await open(`ws://${base}/media/rtc?access_token=good`, lies)
  const validated = await fetch(`http://${base}/media/rtc/v1/validate?access_token=good`, { headers: lies })
  for (const { headers } of [JSON.parse(messages[0] ?? ''), await validated.json()]) {
    assert.deepEqual([headers['x-parley-owner'], headers['x-parley-network']], ['the host', '192.0.2.1'])
  }
  socket.close()
})

test('refuses clients without permission, and serves only the paths for browsers', async () => {
  const { base, port, engine } = await setUp()
  for (const query of ['', '?access_token=bad', '?token=good', '?access_token=bad&access_token=good']) {
    assert.equal((await open(`ws://${base}/media/rtc${query}`)).status, 401, query)
    assert.equal((await fetch(`http://${base}/media/rtc/validate${query}`)).status, 401, query)
  }
  const validated = await fetch(`http://${base}/media/rtc/v1/validate?access_token=good&a=b`)
  assert.deepEqual([validated.status, (await validated.json()).url], [200, '/rtc/v1/validate?access_token=good&a=b'])
  const outside = [
    '/media/twirp/livekit.RoomService/ListRooms',
    '/twirp/livekit.RoomService/ListRooms',
    '/media/',
    '/media',
    '/media/rtc/',
    '/media/rtc/v2',
    '/media/rtcx',
    '/media//rtc',
    '/media/rtc/../twirp/livekit.RoomService/ListRooms',
    '/media/rtc/%2e%2e/%2e%2e/twirp/livekit.RoomService/ListRooms',
    '/media/rtc/v1/../../../event',
    '/rtc',
    '/MEDIA/rtc',
    '/media/rtc%2f..%2f..%2fevent',
    '/media/rtc\\..\\..\\event',
    'http://127.0.0.1/media/../event',
  ]
  for (const path of outside) {
    for (const method of ['GET', 'POST']) {
      for (const upgrade of [
        'Connection: close\r\n',
        'Connection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n',
      ]) {
        const head = `${method} ${path}?access_token=good HTTP/1.1\r\nHost: parley.test\r\n${upgrade}`
        const answer = await raw(
          port,
          `${head}Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nContent-Length: 0\r\n\r\n`,
        )
        assert.match(answer, /^HTTP\/1\.1 4\d\d /, `${method} ${path}`)
      }
    }
  }
  const reached = await fetch(`${await engine.apiAddress()}/twirp/livekit.RoomService/ListRooms`)
  assert.equal(reached.status, 200, 'from here it is there')
})

test('lets pages notice that the network is available again', async () => {
  const { base } = await setUp()
  assert.equal((await fetch(`http://${base}/media`, { method: 'HEAD' })).status, 204)
})

test('refuses a handshake whose headers are too long to parse before the engine sees it', async () => {
  const { base } = await setUp()
  const address = `ws://${base}/media/rtc?access_token=good`
  const taken = new WebSocket(address, ['x'.repeat(1_000)])
  await once(taken, 'open')
  taken.terminate()
  const refused = new WebSocket(address, ['x'.repeat(1_001)])
  const [, answer] = await once(refused, 'unexpected-response')
  assert.equal(answer.statusCode, 431)
  answer.resume()
})

test('does not forward data after the handshake as a second request', async () => {
  const { port } = await setUp()
  const head =
    'GET /media/rtc?access_token=good HTTP/1.1\r\nHost: parley.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n'
  const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n'
  const second = 'GET /event HTTP/1.1\r\nHost: x\r\n\r\n'
  const answer = await raw(port, `${head}${key}Content-Length: ${second.length}\r\n\r\n${second}`)
  assert.equal(answer.match(/HTTP\/1\.1/g)?.length, 1, answer)
  // The engine refuses a broken handshake; it still counts as one request.
  const refused = await raw(port, `${head}\r\n${second}`)
  assert.match(refused, /^HTTP\/1\.1 400 /)
  assert.equal(refused.match(/HTTP\/1\.1/g)?.length, 1, refused)
})

test('ends the sockets of a crashed engine, connects later ones to the next engine, and ends all on stop', async () => {
  const { base, engine, proxy, death } = await setUp()
  const { socket } = await open(`ws://${base}/media/rtc?access_token=good`)
  const closed = once(socket, 'close')
  await fetch(`${await engine.apiAddress()}/die`).catch(() => {})
  await Promise.all([closed, death])
  const next = await open(`ws://${base}/media/rtc?access_token=good`)
  assert.equal(next.status, 101)
  proxy.stop()
  await once(next.socket, 'close')
  assert.equal((await open(`ws://${base}/media/rtc?access_token=good`)).status, 503)
})

test('does not start the engine for a refused connection', async () => {
  let asked = 0
  const { base } = await setUp((engine) => ({
    ...engine,
    async apiAddress() {
      asked += 1
      return engine.apiAddress()
    },
  }))
  const validate = async (token: string) =>
    (await fetch(`http://${base}/media/rtc/validate?access_token=${token}`)).status
  assert.deepEqual([await validate('bad'), asked], [401, 0])
  assert.equal((await open(`ws://${base}/media/rtc?access_token=bad`)).status, 401)
  assert.equal(asked, 0)
  assert.deepEqual([await validate('good'), asked], [200, 1])
})

test('closes the connection of a refused client, whatever it sends and however it leaves', async () => {
  const { port, connections } = await setUp()
  const request = [
    'GET /media/rtc?access_token=bad HTTP/1.1',
    'Host: parley.test',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    '',
    '',
  ].join('\r\n')
  const closed = Array.from({ length: 30 }, async (_, at) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: at % 2 === 0 })
    socket.on('error', () => {})
    socket.write(request)
    const [answer] = await once(socket, 'data')
    assert.match(String(answer), /^HTTP\/1\.1 401 /)
    if (at % 3 === 0) socket.write('x')
    if (at % 2 === 1) socket.end()
    return socket
  })
  const sockets = await Promise.all(closed)
  while ((await connections()) > 0) await sleep(10)
  for (const socket of sockets) socket.destroy()
})

for (const [times, status] of [
  [19, 101],
  [20, 503],
] as const) {
  test(`asks for the engine again where no process listens: after ${times} times the answer is ${status}`, async () => {
    const dead = `http://127.0.0.1:${await unusedPort()}`
    let asked = 0
    const { base } = await setUp((engine) => ({
      ...engine,
      apiAddress: async () => (++asked <= times ? dead : engine.apiAddress()),
    }))
    assert.equal((await open(`ws://${base}/media/rtc?access_token=good`)).status, status)
    assert.equal(asked, 20)
  })
}

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Send raw bytes, and return the reply up to the end or a pause. */
async function raw(port: number, bytes: string, quietMs = 1_000): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answered = ''
  socket.on('data', (chunk) => {
    answered += chunk.toString('latin1')
  })
  socket.write(bytes)
  // A first request starts the engine, which takes its time on a busy machine.
  socket.setTimeout(30_000, () => socket.destroy())
  // Long enough for a second reply, if there is one.
  socket.once('data', () => socket.setTimeout(quietMs))
  await once(socket, 'close')
  return answered
}
