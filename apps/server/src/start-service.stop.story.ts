import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openStream } from '../test/event-stream.ts'
import { connectTo, type Outcome } from '../test/one-connection.ts'
import { detailsPath, standUp } from '../test/people.ts'
import { descendantsOf, haveEnded } from '../test/processes/process-tree.ts'
import { dataFolderOf, runService, type ServiceProcess } from '../test/processes/run-service.ts'
import { signUp } from '../test/processes/service-people.ts'

/** docs/maintenance.md: requests in flight get 10 s; the drain before and the database after take the rest. */
const maxStopMs = 14_000

/** Sixteen clients send requests, each on its own connection, until one is refused. */
function ask(base: string, token: string, meeting: { _id: string }) {
  const outcomes: Outcome[] = []
  const clients = Array.from({ length: 16 }, async (_, index) => {
    const connection = connectTo(base)
    for (;;) {
      const outcome =
        index % 2 === 0
          ? await connection.send('GET', detailsPath(meeting), { token })
          : await connection.send('POST', '/api/meeting', { token, body: standUp() })
      outcomes.push(outcome)
      if (outcome.kind !== 'answered') break
    }
    connection.close()
  })
  return { outcomes, refused: Promise.all(clients) }
}

/** Request `/readyz` until it reports the shutdown. */
async function untilDraining(connection: ReturnType<typeof connectTo>) {
  for (;;) {
    const outcome = await connection.send('GET', '/readyz')
    assert.ok(outcome.kind === 'answered', JSON.stringify(outcome))
    if (outcome.status === 200) continue
    assert.equal(outcome.status, 503)
    assert.match(outcome.body, /shutting down/)
    assert.equal(outcome.headers.connection, 'close')
    return
  }
}

/** Send a request without the end of its body; returns functions for the rest and for the reply. */
async function beginRequest(service: ServiceProcess, token: string) {
  const body = JSON.stringify(standUp())
  const socket = connect(Number(new URL(service.base).port), '127.0.0.1')
  let text = ''
  const answered = new Promise<string>((resolve) => {
    socket.setEncoding('utf8').on('data', (part) => {
      text += part
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
  })
  socket.write(
    [
      'POST /api/meeting HTTP/1.1',
      'Host: parley.test',
      'Expect: 100-continue',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '\r\n',
    ].join('\r\n'),
  )
  // The service confirms that it has accepted the request before any of the body is sent.
  await new Promise((resolve) => socket.once('data', resolve))
  socket.write(body.slice(0, 10))
  return { answered, finish: () => socket.write(body.slice(10)) }
}

async function stopped(service: ServiceProcess) {
  const startedAt = performance.now()
  const { code, output } = await service.ended
  assert.equal(code, 0, output)
  const stopMs = performance.now() - startedAt
  assert.ok(stopMs < maxStopMs, `${stopMs} ms`)
  return Math.round(stopMs)
}

/** Send requests on new connections until none is accepted. */
async function untilRefused(base: string) {
  for (;;) {
    const connection = connectTo(base)
    const outcome = await connection.send('GET', '/healthz')
    connection.close()
    if (outcome.kind === 'refused') return
    assert.ok(outcome.kind === 'answered', JSON.stringify(outcome))
  }
}

/** As a terminal or a supervisor starts it: npm, its shell and the service in one process group. */
async function runByNpm(t: TestContext): Promise<ServiceProcess> {
  const root = dirname(fileURLToPath(new URL('../../../package.json', import.meta.url)))
  return runService(t, {
    environment: { DATA_DIR: await dataFolderOf(t, 'a data folder') },
    command: ['npm', 'start'],
    cwd: root,
  })
}

suite('stopping the service', { concurrency: 2 }, () => {
  test('a stop under load answers every request that was sent', async (t) => {
    const dataDir = await dataFolderOf(t)
    const service = await runService(t, { environment: { DATA_DIR: dataDir } })
    const alice = await signUp(service.base, 'Alice')
    const meeting = await alice.schedule()
    const { outcomes, refused } = ask(service.base, alice.token, meeting)
    const postgres = await descendantsOf(service.pid)

    const startedAt = performance.now()
    const watcher = connectTo(service.base)
    service.signal('SIGTERM')
    await untilDraining(watcher)
    service.signal('SIGTERM')
    service.signal('SIGINT')

    const { code } = await service.ended
    const stopMs = Math.round(performance.now() - startedAt)
    assert.equal(code, 0, service.output())
    assert.ok(stopMs < maxStopMs, `${stopMs} ms`)
    await refused
    const lost = outcomes.filter((outcome) => outcome.kind === 'lost')
    assert.deepEqual(lost, [])
    for (const outcome of outcomes) {
      if (outcome.kind === 'answered') assert.ok(outcome.status === 200 || outcome.status === 503, outcome.body)
    }
    t.diagnostic(`${outcomes.length - 16} requests answered, none lost; ended after ${stopMs} ms`)

    await haveEnded(postgres)
    const left = (await readdir(dataDir)).filter((name) => name !== 'mail')
    assert.deepEqual(left.toSorted(), ['parley.lock', 'postgres', 'postgres.log', 'secret-key'])
    await runService(t, { environment: { DATA_DIR: dataDir } })
  })

  test('finishes a request that is being sent on stop, and cuts off one that never ends', async (t) => {
    const service = await runService(t, { environment: { DATA_DIR: await dataFolderOf(t) } })
    const alice = await signUp(service.base, 'Alice')
    const slow = await beginRequest(service, alice.token)
    const endless = await beginRequest(service, alice.token)
    service.signal('SIGTERM')
    const stopping = stopped(service)
    await untilRefused(service.base)
    slow.finish()
    assert.match(await slow.answered, /HTTP\/1\.1 200 OK.*"meetingDetails"/s)
    assert.doesNotMatch(await endless.answered, /HTTP\/1\.1 200/)
    t.diagnostic(`cut and ended after ${await stopping} ms`)
  })

  test('ends streams at once on stop, and opens no more', async (t) => {
    const service = await runService(t, { environment: { DATA_DIR: await dataFolderOf(t) } })
    const alice = await signUp(service.base, 'Alice')
    const { svcMeetId } = await alice.schedule()
    const path = `/api/rooms/${svcMeetId}/waiting`
    const headers = { authorization: `Bearer ${alice.token}` }
    const stream = await openStream(service, path, headers)
    await stream.next()
    const watcher = connectTo(service.base)
    service.signal('SIGTERM')
    await untilDraining(watcher)
    const first = await Promise.race([stream.ended().then(() => 'the stream'), service.ended.then(() => 'the service')])
    assert.equal(first, 'the stream')
    await assert.rejects(openStream(service, path, headers), /503|fetch failed/)
    await stopped(service)
  })

  test('logs the stop, and no error when a load balancer is told of it', async (t) => {
    const environment = { DATA_DIR: await dataFolderOf(t), LOG_LEVEL: 'info' }
    const service = await runService(t, { environment })
    const watcher = connectTo(service.base)
    service.signal('SIGTERM')
    await untilDraining(watcher)
    await stopped(service)
    const { output } = await service.ended
    const lines = output.split('\n').filter((line) => line.startsWith('{'))
    const entries = lines.map((line) => JSON.parse(line))
    assert.ok(entries.some(({ route, status }) => route === '/readyz' && status === 503))
    assert.deepEqual(
      entries.filter(({ level }) => level === 'error' || level === 'fatal'),
      [],
    )
    const stages = entries.map(({ msg }) => msg).filter((msg) => /^The service (is stopping|has stopped)/.test(msg))
    assert.equal(stages.length, 2, output)
  })

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`${signal} to the whole group of npm start stops the service before its PostgreSQL`, async (t) => {
      const npm = await runByNpm(t)
      const alice = await signUp(npm.base, 'Alice')
      const below = await descendantsOf(npm.pid)
      const slow = await beginRequest(npm, alice.token)
      process.kill(-npm.pid, signal)
      await untilDraining(connectTo(npm.base))
      slow.finish()
      assert.match(await slow.answered, /HTTP\/1\.1 200 OK/)
      await haveEnded(below)
      await npm.ended
    })
  }
})
