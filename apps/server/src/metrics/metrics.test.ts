import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { exchangeToken } from '@parley/contract'
import { Pool } from 'pg'
import { openLog } from '../../test/event-reader.ts'
import { meetPeople, password, schedule, sendRequest, signInAgain, standUp } from '../../test/people.ts'
import { as, createRecordingMedia, enter, watchRoom } from '../../test/rooms/rooms.ts'
import { startApp } from '../../test/start-app.ts'
import { startReceiver } from '../../test/webhooks/receiver.ts'
import { deliverDue, insertWebhook, loopbackReceivers } from '../../test/webhooks/webhooks.ts'
import { systemClock } from '../platform/clock.ts'
import { createDatabaseFailureLog } from '../platform/database/database-failure-log.ts'
import { createHttp } from '../platform/http/http.ts'
import { createLog } from '../platform/log.ts'
import { secureRandom } from '../platform/random.ts'
import { createMetrics, type Metrics, serveMetrics } from './metrics.ts'
import { observeTasks } from './observe-jobs.ts'
import { observeRequests } from './observe-requests.ts'
import { observeDatabase, observeMailer, observeRooms } from './observe-service.ts'

const metrics = createMetrics({ version: '1.2.3' })
const app = await startApp({
  metrics,
  media: createRecordingMedia(),
  environment: { TRUST_PROXY: '127.0.0.1', ...loopbackReceivers },
})
const { alice, bob, carol } = await meetPeople(app)
const log = createLog({ level: 'silent' })

/**
 * The value of one line of a scrape, such as `parley_rooms` or `parley_jobs{task="remind",state="ready"}`; 0 without
 * one.
 */
async function sampleOf(series: string, of: Metrics = metrics): Promise<number> {
  const line = (await of.scrape()).split('\n').find((each) => each.startsWith(`${series} `))
  return Number(line?.slice(series.length + 1) ?? 0)
}

/** The change of a series caused by an action. */
async function moved(series: string, act: () => Promise<unknown>, of: Metrics = metrics): Promise<number> {
  const before = await sampleOf(series, of)
  await act()
  return (await sampleOf(series, of)) - before
}

test('reports the process and the build', async () => {
  assert.equal(await sampleOf(`parley_build_info{version="1.2.3",node="${process.versions.node}"}`), 1)
  for (const series of [
    'process_resident_memory_bytes',
    'nodejs_heap_size_used_bytes',
    'nodejs_eventloop_lag_p99_seconds',
  ])
    assert.ok((await sampleOf(series)) > 0, series)
})

test('counts and times a request by its route, never by values that its sender chose', async () => {
  const count = (method: string, route: string, status: number) =>
    `http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`
  assert.equal(await moved(count('GET', '/healthz', 200), () => fetch(`${app.base}/healthz`)), 1)
  const meeting = '/api/meeting/meetingDetails/:meetingId'
  const unknown = () => alice.send('GET', '/api/meeting/meetingDetails/00000000-0000-7000-8000-000000000000')
  assert.equal(await moved(count('GET', meeting, 404), unknown), 1)
  assert.equal(await moved(count('GET', 'none', 404), () => fetch(`${app.base}/made-up-${Date.now()}`)), 1)
  assert.doesNotMatch(await metrics.scrape(), /made-up/)
})

test('counts sign-ins by method and outcome', async () => {
  const signIn = (secret: string) => () =>
    sendRequest(app, 'POST', '/api/auth/sign-in', { email: alice.email, password: secret })
  const series = (outcome: string) => `parley_sign_ins_total{way="password",outcome="${outcome}"}`
  assert.equal(await moved(series('accepted'), signIn(password)), 1)
  assert.equal(await moved(series('refused'), signIn('not this one')), 1)
})

test('counts token requests by the error that refused them', async () => {
  const refused = () =>
    fetch(app.base + exchangeToken.path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=authorization_code&client_id=nobody&client_secret=nothing',
    })
  assert.equal(await moved('parley_token_requests_total{outcome="invalid_client"}', refused), 1)
})

test('counts waiting and completed jobs and emails', async () => {
  const waiting = async () => {
    const lines = (await metrics.scrape())
      .split('\n')
      .filter((line) => /^parley_jobs\{task="[^"]+",state="(ready|scheduled)"\}/.test(line))
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
  }
  const before = await waiting()
  await schedule(alice, standUp())
  assert.ok((await waiting()) > before)
  await app.pool.query(`update graphile_worker._private_jobs set run_at = now() - interval '1 hour'`)
  assert.ok((await sampleOf('parley_mail_oldest_seconds')) >= 3_600)
  const ages = (await metrics.scrape()).split('\n').filter((line) => line.startsWith('parley_job_oldest_seconds{'))
  assert.ok(ages.some((line) => Number(line.split(' ').at(-1)) >= 3_600))
  const sent = await moved('parley_mails_total{outcome="sent"}', async () => void (await app.mails()))
  assert.ok(sent > 0)
  assert.match(await metrics.scrape(), /^parley_job_runs_total\{task="[^"]+",outcome="done"\} [1-9]/m)
  assert.match(await metrics.scrape(), /^parley_job_duration_seconds_count\{task="[^"]+"\} [1-9]/m)
  assert.equal(await sampleOf('parley_mail_oldest_seconds'), 0)
})

test('shows what waits for webhooks, for how long it is due, and what became of attempts', async () => {
  await app.publishEvents()
  const [prompt, silent] = [await startReceiver(), await startReceiver()]
  const mayAnswer = Promise.withResolvers<void>()
  silent.answer = () => ({ status: 503, until: mayAnswer.promise })
  await insertWebhook(app, alice, prompt)
  await insertWebhook(app, alice, silent)
  await alice.send('POST', '/api/meeting?sendUpdates=none', standUp({ participants: [] }))
  await app.publishEvents()
  assert.equal(await sampleOf('parley_webhook_deliveries_waiting'), 2)
  await app.database
    .updateTable('webhookLane')
    .set({ nextAttemptAt: new Date(Date.now() - 3_600_000) })
    .execute()
  assert.ok((await sampleOf('parley_webhook_oldest_seconds')) >= 3_600)
  const attempts = (outcome: string) => `parley_webhook_attempts_total{outcome="${outcome}"}`
  assert.match(await metrics.scrape(), /^parley_webhook_attempts_total\{outcome="aborted"\} 0$/m)
  const [taken, refused] = [await sampleOf(attempts('taken')), await sampleOf(attempts('refused'))]
  await app.webhooks.startDue()
  while (app.webhooks.countRunning() > 1) await app.webhooks.nextEnd()
  assert.equal(await sampleOf('parley_webhook_attempts_in_flight'), 1)
  mayAnswer.resolve()
  await app.webhooks.idle()
  await deliverDue(app)
  assert.equal(await sampleOf('parley_webhook_deliveries_waiting'), 1)
  assert.equal(await sampleOf('parley_webhook_oldest_seconds'), 0)
  assert.equal(await sampleOf('parley_webhook_attempts_in_flight'), 0)
  assert.deepEqual([await sampleOf(attempts('taken')), await sampleOf(attempts('refused'))], [taken + 1, refused + 1])
  await app.database.deleteFrom('webhook').execute()
})

test('counts rooms, people and open streams', async () => {
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  const soon = { startTime: at(5), endTime: at(35) }
  const room = await schedule(alice, standUp({ ...soon, advancedOptions: { waitingRoom: true }, participants: [] }))
  assert.equal(await moved('parley_waiting', () => enter(app, room, {}, { name: 'Greta', pin: room.pin })), 1)
  const { admissionId } = await enter(app, room, as(alice))
  const inside = app.database
    .updateTable('admission')
    .set({ enteredAt: new Date() })
    .where('id', '=', String(admissionId))
  assert.equal(await moved('parley_participants', () => inside.execute()), 1)
  assert.equal(await sampleOf('parley_rooms'), 1)
  const list = await watchRoom(app, room, as(alice))
  assert.equal(await sampleOf('parley_streams'), 1)
  list.close()
  const token = await signInAgain(app, alice.email)
  const following = await openLog(app, { token })
  assert.equal((await sendRequest(app, 'POST', '/api/auth/sign-out', undefined, { authorization: token })).status, 200)
  await following.ended()
  const ofStreams = 'http_request_duration_seconds_count{method="GET",route="/api/events?follow=true",status="200"}'
  while ((await sampleOf(ofStreams)) !== 1) await sleep(10)
  assert.match(await metrics.scrape(), /^parley_media_engine\{state="none"\} 0$/m)
})

test('the pool shows used connections and waiting requests', async () => {
  assert.equal(await sampleOf('parley_database_up'), 1)
  assert.equal(await sampleOf('parley_database_connections_max'), 8)
  const holder = await app.pool.connect()
  await holder.query('begin; lock table meeting in access exclusive mode')
  // One for each connection, and more; a scrape needs none for this.
  const held = [alice, bob, carol].flatMap((person) =>
    Array.from({ length: 4 }, () => person.send('POST', '/api/meeting', standUp({ participants: [] }))),
  )
  const gauges = ['parley_database_connections', 'parley_database_waiting', 'parley_requests_in_flight']
  const read = async () => {
    const text = await Promise.all(gauges.map((name) => metrics.registry.getSingleMetricAsString(name)))
    return text.join('\n')
  }
  while (!/^parley_database_waiting [1-9]/m.test(await read())) await sleep(10)
  assert.match(await read(), /^parley_database_connections\{state="busy"\} 8$/m)
  assert.match(await read(), /^parley_requests_in_flight ([2-9]|1[0-2])$/m)
  await holder.query('rollback')
  holder.release()
  await Promise.all(held)
  assert.match(await read(), /^parley_database_waiting 0$/m)
})

test('counts overload, and issued tokens', async () => {
  const own = createMetrics({ version: 'test' })
  const http = createHttp({
    baseUrl: 'http://parley.test',
    trustProxy: [],
    clock: systemClock,
    random: secureRandom,
    log,
    maxInFlight: 1,
  })
  observeRequests(own, http, () => 0)
  const { promise, resolve } = Promise.withResolvers<void>()
  http.get('/slow', async () => void (await promise))
  http.post(exchangeToken.path, async () => ({}))
  const slow = http.inject('/slow').then(() => {})
  while ((await sampleOf('parley_requests_in_flight', own)) === 0) await sleep(5)
  assert.match(await own.scrape(), /^parley_responses_total\{class="5xx"\} 0$/m, 'present before the first one')
  assert.equal((await http.inject('/slow')).statusCode, 503)
  assert.equal(await sampleOf('parley_overload_refusals_total', own), 1)
  assert.equal(await sampleOf('parley_responses_total{class="5xx"}', own), 1)
  resolve()
  await slow
  await http.inject({ method: 'POST', url: exchangeToken.path })
  assert.equal(await sampleOf('parley_token_requests_total{outcome="issued"}', own), 1)
  await http.close()
})

test('counts failures of the database by cause, each cause from the first scrape on', async () => {
  const own = createMetrics({ version: 'test' })
  const failures = createDatabaseFailureLog(log)
  observeDatabase(own, app.pool, failures)
  const away = 'parley_database_failures_total{cause="away"}'
  assert.match(await own.scrape(), /^parley_database_failures_total\{cause="away"\} 0$/m)
  for (let request = 0; request < 3; request++) {
    failures.report(Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' }))
  }
  assert.deepEqual([await sampleOf(away, own), await sampleOf(away, own)], [3, 3])
})

test('reports an unavailable database, and everything else as well', async () => {
  const own = createMetrics({ version: 'test' })
  own.beforeScrape(async () => {
    throw new Error('away')
  })
  assert.equal(await sampleOf('parley_scrape_failures', own), 1)
  const server = await serveMetrics(own, { host: '127.0.0.1', port: 0, log })
  const answer = await fetch(`http://127.0.0.1:${server.port}/metrics`)
  assert.match(String(answer.headers.get('content-type')), /^text\/plain; version=0\.0\.4/)
  assert.match(await answer.text(), /^parley_build_info/m)
  assert.equal((await fetch(`http://127.0.0.1:${server.port}/`)).status, 404)
  await server.stop()
})

test('counts refused or delayed emails, and failing jobs, as such', async () => {
  const own = createMetrics({ version: 'test' })
  const outcomes = [
    Object.assign(new Error('no such user'), { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 }),
    Object.assign(new Error('later'), { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 450 }),
  ]
  const mailer = observeMailer(own, {
    deliver: async () => {
      throw outcomes.shift()
    },
    close() {},
  })
  const mail = { to: 'bob@example.org', subject: '', text: '', html: '', messageId: '<a@b>' }
  const { tasks } = observeTasks(own, { tasks: { 'send-mail': () => mailer.deliver(mail) } })
  const run = async () => assert.rejects(Promise.resolve(tasks['send-mail']?.({}, { job: { id: 1 } })))
  assert.equal(await moved('parley_mails_total{outcome="refused"}', run, own), 1)
  assert.equal(await moved('parley_mails_total{outcome="deferred"}', run, own), 1)
  assert.equal(await sampleOf('parley_job_runs_total{task="send-mail",outcome="failed"}', own), 2)
})

test('reports the location of the media engine, and an unavailable database', async () => {
  const own = createMetrics({ version: 'test' })
  const engine = {
    url: '',
    apiKey: '',
    apiSecret: '',
    apiAddress: async () => '',
    status: async () => 'reachable' as const,
  }
  observeRooms(own, app.pool, engine)
  assert.equal(await sampleOf('parley_media_engine{state="reachable"}', own), 1)
  assert.equal(await sampleOf('parley_media_engine{state="out_of_reach"}', own), 0)
  const away = new Pool({ host: '127.0.0.1', port: 1 })
  observeDatabase(own, away, createDatabaseFailureLog(log))
  assert.match(await own.scrape(), /^parley_database_up 0$/m)
  assert.equal(await sampleOf('parley_scrape_failures', own), 1)
  await away.end()
})
