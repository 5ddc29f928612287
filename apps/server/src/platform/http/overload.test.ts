import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { secureRandom } from '../random.ts'
import { createHttp } from './http.ts'
import { adaptLimit, maxInFlight, maxLagMs, minInFlight, overloadOf, watchEventLoop } from './overload.ts'

/** A service that handles two requests at a time; `/slow` is answered when the test releases it. */
async function start(t: TestContext) {
  const lines: string[] = []
  const http = createHttp({
    baseUrl: 'http://parley.test',
    trustProxy: [],
    clock: systemClock,
    random: secureRandom,
    maxInFlight: 2,
    log: createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } }),
  })
  const { inFlight } = overloadOf(http)
  const waiting: (() => void)[] = []
  const arrived = () => new Promise<void>((resolve) => arrivals.push(resolve))
  const arrivals: (() => void)[] = []
  const slow = async () => {
    arrivals.shift()?.()
    await new Promise<void>((resolve) => waiting.push(resolve))
    return 'done'
  }
  http.get('/slow', slow)
  http.post('/slow', slow)
  for (const path of ['/healthz', '/readyz', '/version']) http.get(path, async () => 'well')
  await http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = http.server.address() as AddressInfo
  t.after(async () => {
    for (const letGo of waiting) letGo()
    http.server.closeAllConnections()
    await http.close()
  })
  const base = `http://127.0.0.1:${port}`
  /** The service notices a moment later that a client has gone. */
  async function untilFree() {
    while (inFlight() > 0) await sleep(5)
  }
  return { base, port, lines, arrived, untilFree, letGo: () => waiting.shift()?.() }
}

test('refuses requests beyond the limit at once, and still answers health checks', async (t) => {
  const { base, arrived, letGo, lines } = await start(t)
  const both = [arrived(), arrived()]
  const taken = [fetch(`${base}/slow`), fetch(`${base}/slow`)]
  await Promise.all(both)
  const refused = await fetch(`${base}/slow`)
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1'])
  assert.equal(((await refused.json()) as { code: string }).code, 'unavailable')
  for (const path of ['/healthz', '/readyz', '/version']) assert.equal((await fetch(base + path)).status, 200)

  letGo()
  await Promise.race(taken)
  const next = arrived()
  taken.push(fetch(`${base}/slow`))
  await next
  letGo()
  letGo()
  assert.deepEqual(
    (await Promise.all(taken)).map(({ status }) => status),
    [200, 200, 200],
  )
  // Logged together, not one by one.
  assert.deepEqual(
    lines.filter((line) => line.includes('"status":503')),
    [],
  )
})

test('refuses a request beyond the limit before its body has arrived', async (t) => {
  const { base, port, arrived, letGo } = await start(t)
  const both = [arrived(), arrived()]
  const taken = [fetch(`${base}/slow`), fetch(`${base}/slow`)]
  await Promise.all(both)
  const socket = connect(port, '127.0.0.1')
  t.after(() => socket.destroy())
  socket.write('POST /slow HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n[')
  const [answer] = await once(socket, 'data')
  assert.match(answer.toString(), /^HTTP\/1\.1 503 [\s\S]*\r\nretry-after: 1\r\n/)
  // The rest of the body is not another request.
  socket.write('1,1,1,1]')
  letGo()
  await Promise.race(taken)
  const next = arrived()
  socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n')
  await next
  letGo()
  letGo()
  const [second] = await once(socket, 'data')
  assert.match(second.toString(), /^HTTP\/1\.1 200 /)
  await Promise.all(taken)
})

test('slow senders, slow readers and disconnected clients occupy no place', async (t) => {
  const { base, port, arrived, letGo, untilFree } = await start(t)
  for (let each = 0; each < 5; each++) {
    const socket = connect(port, '127.0.0.1')
    t.after(() => socket.destroy())
    await once(socket, 'connect')
    socket.write('POST /slow HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n[')
  }
  for (let each = 0; each < 3; each++) {
    const leaving = new AbortController()
    const here = arrived()
    const left = fetch(`${base}/slow`, { signal: leaving.signal })
    await here
    leaving.abort()
    await assert.rejects(left)
    await untilFree()
    letGo()
  }
  const both = [arrived(), arrived()]
  const taken = [fetch(`${base}/slow`), fetch(`${base}/slow`)]
  await Promise.all(both)
  letGo()
  letGo()
  assert.deepEqual(
    (await Promise.all(taken)).map(({ status }) => status),
    [200, 200],
  )
})

test('halves the limit down to the minimum when the event loop is late, and raises it up to the maximum when it is on time', () => {
  assert.equal(adaptLimit(maxInFlight, maxLagMs, maxInFlight), maxInFlight)
  assert.equal(adaptLimit(maxInFlight, maxLagMs + 1, maxInFlight), maxInFlight / 2)
  assert.equal(adaptLimit(minInFlight + 1, maxLagMs + 1, maxInFlight), minInFlight)
  assert.equal(adaptLimit(minInFlight, 60_000, maxInFlight), minInFlight)
  assert.equal(adaptLimit(minInFlight, 0, maxInFlight), minInFlight + 50)
  assert.equal(adaptLimit(maxInFlight - 1, 0, maxInFlight), maxInFlight)
})

test('keeps a maximum below the minimum', () => {
  assert.equal(adaptLimit(2, 60_000, 2), 2)
  assert.equal(adaptLimit(0, 60_000, 0), 0)
})

test('lowers the limit while the event loop is blocked, and raises it again', async (t) => {
  const { limit, stop } = watchEventLoop(maxInFlight)
  t.after(stop)
  while (limit() === maxInFlight) {
    const untilMs = performance.now() + 3 * maxLagMs
    while (performance.now() < untilMs);
    await sleep(1)
  }
  assert.ok(limit() >= minInFlight)
  while (limit() < maxInFlight) await sleep(10)
})
