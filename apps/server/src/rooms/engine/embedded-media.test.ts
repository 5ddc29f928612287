import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { haveEnded } from '../../../test/processes/process-tree.ts'
import { systemClock } from '../../platform/clock.ts'
import { createEncryption } from '../../platform/encryption.ts'
import { createLog } from '../../platform/log.ts'
import { bindUdpPort } from '../../platform/udp-port.ts'
import { createEmbeddedMedia, type EmbeddedMedia } from './embedded-media.ts'

const stub = fileURLToPath(new URL('../../../test/rooms/stub-media-engine.ts', import.meta.url))
const encryption = createEncryption(Buffer.alloc(32, 7))
const config = { baseUrl: 'https://parley.test', mediaUdpPort: 30_000 }

function setUp(
  changes: {
    program?: string
    waitMs?: number
    pingEveryMs?: number
    mediaPublicAddress?: string
    mediaUdpPort?: number
  } = {},
) {
  const { program = stub, waitMs = 60_000, pingEveryMs, ...settings } = changes
  const events: unknown[] = []
  const lines: string[] = []
  const deaths: Date[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const engine = createEmbeddedMedia({
    config: { ...config, ...settings },
    encryption,
    program,
    waitMs,
    ...(pingEveryMs && { pingEveryMs }),
    log: createLog({ level: 'info', destination }),
    onEvent: (event) => events.push(event),
    onDeath: () => deaths.push(systemClock.now()),
  })
  after(() => engine.stop())
  return { engine, events, lines, deaths }
}

async function ask(engine: EmbeddedMedia, path = '/') {
  const response = await fetch((await engine.apiAddress()) + path)
  return response.json()
}

test('starts the engine on first use, with its settings and the compile cache', async () => {
  process.env.PARLEY_TEST_SECRET = 'hidden'
  const { engine } = setUp({ mediaPublicAddress: '192.0.2.1' })
  assert.equal(engine.url, 'wss://parley.test/media')
  const { start, pid, environment } = await ask(engine)
  const { NODE_COMPILE_CACHE } = process.env
  assert.deepEqual(environment, NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE })
  assert.deepEqual(start, {
    kind: 'start',
    apiKey: 'parley',
    apiSecret: engine.apiSecret,
    udpPort: 30_000,
    publicAddress: '192.0.2.1',
  })
  assert.ok(engine.apiSecret.length >= 32)
  assert.equal((await ask(engine)).pid, pid, 'one engine serves all')
})

test('derives the same secret at each start, and another one from another key', () => {
  const secretWith = (byte: number) => {
    const box = createEncryption(Buffer.alloc(32, byte))
    const log = createLog({ level: 'silent' })
    const rest = { config, log, onEvent() {}, onDeath() {} }
    return createEmbeddedMedia({ ...rest, encryption: box }).apiSecret
  }
  assert.equal(secretWith(1), secretWith(1))
  assert.notEqual(secretWith(1), secretWith(2))
})

test('restarts a crashed engine before clients give up, and reports it once', async () => {
  const { engine, lines, deaths } = setUp()
  const { pid } = await ask(engine)
  process.kill(pid, 'SIGKILL')
  await haveEnded([pid])
  // Until the crash is noticed, its address is still handed out.
  while (deaths.length === 0) await sleep(10)
  assert.notEqual((await ask(engine)).pid, pid)
  assert.equal(deaths.length, 1)
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /signal SIGKILL.*the media engine has ended; it is started again/)
})

test('ends a hanging engine and starts the next one, and leaves a responsive engine running', async () => {
  const { engine, lines, deaths } = setUp({ pingEveryMs: 300 })
  const { pid } = await ask(engine)
  await sleep(1_000)
  assert.deepEqual([(await ask(engine)).pid, lines], [pid, []])
  process.kill(pid, 'SIGSTOP')
  while (deaths.length === 0) await sleep(10)
  await haveEnded([pid])
  assert.notEqual((await ask(engine)).pid, pid)
  assert.match(lines.join('\n'), /the media engine hangs and is killed[\s\S]*signal SIGKILL/)
})

test("receives the engine's reports", async () => {
  const { engine, events } = setUp()
  await ask(engine, '/event')
  while (events.length === 0) await sleep(10)
  assert.deepEqual(events, [{ event: 'room_started' }])
})

test('an engine that never listens is media_unavailable, is retried with growing pauses, and logged once', async () => {
  const { engine, lines } = setUp({
    program: fileURLToPath(new URL('../no-such-engine.ts', import.meta.url)),
    waitMs: 3_000,
  })
  while (lines.length === 0) await engine.apiAddress().catch(() => {})
  await assert.rejects(engine.apiAddress(), { code: 'media_unavailable' })
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /exit code 1/)
})

test('names a UDP port in use in the log, and serves calls once it is free', async () => {
  const other = await bindUdpPort(0)
  const { port } = other.address()
  const { engine, lines } = setUp({
    program: fileURLToPath(new URL('../../media/main.ts', import.meta.url)),
    waitMs: 3_000,
    mediaUdpPort: port,
  })
  while (lines.length === 0) await engine.apiAddress().catch(() => {})
  await assert.rejects(engine.apiAddress(), { code: 'media_unavailable' })
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', new RegExp(`Another program uses UDP port ${port} already`))
  await other[Symbol.asyncDispose]()
  while (!(await engine.apiAddress().catch(() => undefined))) await sleep(10)
})

test('is unavailable where no process can be started, and available once one can', async () => {
  const { engine } = setUp({ waitMs: 1_000 })
  const { execPath } = process
  process.execPath = '/no/such/program'
  try {
    await assert.rejects(engine.apiAddress(), { code: 'media_unavailable' })
  } finally {
    process.execPath = execPath
  }
  while (!(await engine.apiAddress().catch(() => undefined))) await sleep(10)
  assert.ok((await ask(engine)).pid > 0)
})

test('ends the engine on stop, even one that ignores the signal, and does not restart it', async () => {
  for (const path of ['/', '/hang-on']) {
    const { engine, lines, deaths } = setUp()
    const { pid } = await ask(engine, path)
    await engine.stop()
    await haveEnded([pid])
    await assert.rejects(engine.apiAddress(), { code: 'media_unavailable' })
    assert.deepEqual([lines, deaths.length], [[], 1])
  }
})
