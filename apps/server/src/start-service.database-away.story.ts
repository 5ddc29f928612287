import assert from 'node:assert/strict'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectTo, expectAnswer, type Outcome } from '../test/one-connection.ts'
import { detailsPath, standUp } from '../test/people.ts'
import { startRestartablePostgres } from '../test/postgres/restartable-postgres.ts'
import { descendantsOf, postmasterOf } from '../test/processes/process-tree.ts'
import { dataFolderOf, runService, type ServiceProcess } from '../test/processes/run-service.ts'
import { signUp } from '../test/processes/service-people.ts'

/** docs/maintenance.md: a database that is away gets 503, never a hang longer than this. */
const maxAnswerMs = 5_000
/** The additional time of a busy machine. */
const marginMs = 2_000
/** A client that is asked to retry does so after a while. */
const pauseMs = 20

/** Send requests from many clients until stopped, and record every reply. */
function keepAsking(t: TestContext, service: ServiceProcess, token: string, meeting: { _id: string }) {
  const outcomes: Outcome[] = []
  let stopped = false
  const askers = Array.from({ length: 8 }, async (_, index) => {
    const connection = connectTo(service.base)
    while (!stopped) {
      const outcome =
        index % 2 === 0
          ? await connection.send('GET', detailsPath(meeting), { token })
          : await connection.send('POST', '/api/meeting', { token, body: standUp() })
      outcomes.push(outcome)
      if (outcome.kind !== 'answered' || outcome.status === 503) await sleep(pauseMs)
    }
    connection.close()
  })
  const stop = async () => {
    stopped = true
    await Promise.all(askers)
    return outcomes
  }
  t.after(stop)
  return stop
}

function assertAnsweredOrUnavailable(t: TestContext, outcomes: readonly Outcome[]) {
  for (const outcome of outcomes) {
    assert.ok(outcome.kind === 'answered', JSON.stringify(outcome))
    assert.ok(outcome.status === 200 || outcome.status === 503, outcome.body)
    if (outcome.status === 503) assert.match(String(outcome.headers['retry-after']), /^\d+$/)
  }
  const maxMs = Math.max(...outcomes.map(({ tookMs }) => tookMs))
  const unavailable = outcomes.filter((outcome) => outcome.kind === 'answered' && outcome.status === 503)
  assert.ok(maxMs < maxAnswerMs + marginMs, `${maxMs} ms`)
  assert.ok(unavailable.length > 0)
  t.diagnostic(
    `${outcomes.length} answers, ${unavailable.length} of them 503, the slowest after ${Math.round(maxMs)} ms`,
  )
}

/** Request the database's health until it is this; the test's own limit ends a vain wait. */
async function untilDatabaseHealth(service: ServiceProcess, status: number) {
  const connection = connectTo(service.base)
  const startedAt = performance.now()
  for (;;) {
    const outcome = await connection.send('GET', '/healthz/database')
    assert.ok(outcome.kind === 'answered', JSON.stringify(outcome))
    if (outcome.status === status) break
  }
  connection.close()
  return Math.round(performance.now() - startedAt)
}

/** While the database stops, connections that are still open may answer. */
async function untilUnavailable(service: ServiceProcess, path: string, token: string) {
  const connection = connectTo(service.base)
  for (;;) {
    const outcome = await connection.send('GET', path, { token })
    assert.ok(outcome.kind === 'answered', JSON.stringify(outcome))
    if (outcome.status === 503) {
      connection.close()
      return outcome
    }
  }
}

/** Stop the database under load, check the replies meanwhile, and start it again. */
async function outage(
  t: TestContext,
  service: ServiceProcess,
  { takeAway, bringBack }: { takeAway(): Promise<void>; bringBack(): Promise<void> },
) {
  const alice = await signUp(service.base, 'Alice')
  const meeting = await alice.schedule()
  const stopAsking = keepAsking(t, service, alice.token, meeting)
  await expectAnswer(service.base, 200, 'GET', '/healthz/database')

  await takeAway()
  await untilDatabaseHealth(service, 503)
  await expectAnswer(service.base, 200, 'GET', '/healthz')
  await expectAnswer(service.base, 200, 'GET', '/readyz')
  const unavailable = await untilUnavailable(service, detailsPath(meeting), alice.token)
  assert.equal(JSON.parse(unavailable.body).code, 'unavailable')
  assert.match(String(unavailable.headers['retry-after']), /^\d+$/)

  await bringBack()
  t.diagnostic(`ready again after ${await untilDatabaseHealth(service, 200)} ms`)
  const outcomes = await stopAsking()
  const { body } = await expectAnswer(service.base, 200, 'GET', detailsPath(meeting), { token: alice.token })
  assert.equal(body[0]._id, meeting._id)
  assertAnsweredOrUnavailable(t, outcomes)
}

suite('an unavailable database', { concurrency: 3 }, () => {
  test('Parley restarts a killed private PostgreSQL by itself', async (t) => {
    const service = await runService(t, { environment: { DATA_DIR: await dataFolderOf(t) } })
    const alice = await signUp(service.base, 'Alice')
    const meeting = await alice.schedule()
    const stopAsking = keepAsking(t, service, alice.token, meeting)
    process.kill(await postmasterOf(service.pid), 'SIGKILL')
    // On a busy machine the restart can be over between two requests for the database's health.
    await service.waitForOutput(/PostgreSQL ended by itself \(signal 9\).*PostgreSQL is started again/)
    await expectAnswer(service.base, 200, 'GET', '/healthz')
    t.diagnostic(`ready again after ${await untilDatabaseHealth(service, 200)} ms`)
    const outcomes = await stopAsking()
    await expectAnswer(service.base, 200, 'GET', detailsPath(meeting), { token: alice.token })
    assertAnsweredOrUnavailable(t, outcomes)
  })

  test('retries a private PostgreSQL that cannot start until it can', async (t) => {
    const dataDir = await dataFolderOf(t)
    const service = await runService(t, { environment: { DATA_DIR: dataDir } })
    const control = join(dataDir, 'postgres/global/pg_control')
    await outage(t, service, {
      async takeAway() {
        await rename(control, `${control}.away`)
        process.kill(await postmasterOf(service.pid), 'SIGKILL')
        await service.waitForOutput(/PostgreSQL did not start/)
      },
      bringBack: () => rename(`${control}.away`, control),
    })
  })

  test('Parley exits with a message when a private PostgreSQL cannot be restarted', async (t) => {
    const dataDir = await dataFolderOf(t)
    const service = await runService(t, { environment: { DATA_DIR: dataDir } })
    const control = join(dataDir, 'postgres/global/pg_control')
    await rename(control, `${control}.away`)
    process.kill(await postmasterOf(service.pid), 'SIGKILL')
    const { code, output } = await service.ended
    assert.equal(code, 1)
    assert.match(output, /"level":"fatal".*PostgreSQL was started 5 times in a row, to no avail.*pg_control/)
  })

  test('a frozen PostgreSQL makes no client wait, and is used again when it continues', async (t) => {
    const service = await runService(t, { environment: { DATA_DIR: await dataFolderOf(t) } })
    const frozen: number[] = []
    await outage(t, service, {
      async takeAway() {
        frozen.push(...(await descendantsOf(service.pid)))
        for (const pid of frozen) process.kill(pid, 'SIGSTOP')
      },
      async bringBack() {
        for (const pid of frozen) process.kill(pid, 'SIGCONT')
      },
    })
  })

  test("recovers when an operator's PostgreSQL stops and starts again", async (t) => {
    const postgres = await startRestartablePostgres()
    t.after(() => postgres.stop())
    const { host, port, user, database } = postgres.connection
    const query = new URLSearchParams({ host: String(host), port: String(port) })
    const service = await runService(t, {
      environment: { DATABASE_URL: `postgres://${user}@localhost/${database}?${query}`, SECRET_KEY: '07'.repeat(32) },
    })
    await outage(t, service, { takeAway: postgres.kill, bringBack: postgres.startAgain })
  })
})
