import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { type ReceivedSpan, startOtlpReceiver } from '../../test/otlp-receiver.ts'
import { meetPeople, standUp } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'
import { createMailer } from '../email/mail.ts'
import { readConfig } from './config/config.ts'
import type { TaskOfJob } from './jobs/jobs.ts'
import { createLog } from './log.ts'
import { operations } from './operation.ts'
import { createGuardedFetch } from './outbound/guarded-fetch.ts'
import { startTracing } from './start-tracing.ts'

/** The environment is the process's: OpenTelemetry reads its variables from there. */
function traceTo(url: string, environment: Record<string, string> = {}) {
  Object.assign(process.env, {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_TIMEOUT: '300',
    OTEL_TRACES_SAMPLER: '',
    OTEL_TRACES_SAMPLER_ARG: '',
    ...environment,
  })
  const read = readConfig(process.env)
  assert.ok(read.kind === 'read' && read.config.tracing)
  const lines: Record<string, unknown>[] = []
  const log = createLog({ level: 'info', destination: { write: (line) => void lines.push(JSON.parse(line)) } })
  return { tracing: startTracing(read.config.tracing, { version: '1.2.3', instance: 'parley here 1', log }), lines }
}

/** A mail server that accepts everything. */
async function startMailServer() {
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    closeTimeout: 100,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(null, { user: 'parley' }),
    onData: (stream, _session, done) => {
      stream.resume().on('end', () => done())
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  after(() => new Promise<void>((resolve) => server.close(resolve)))
  return (server.server.address() as AddressInfo).port
}

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const start = { name: 'GET /', kind: 'server', attributes: {} } as const

test('traces a request, its statements, its email and the call to the mail server as one trace', async () => {
  const receiver = await startOtlpReceiver()
  after(() => receiver.stop())
  const { tracing } = traceTo(receiver.url, {
    OTEL_SERVICE_NAME: 'meetings of acme',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=key%20of%20acme',
  })
  const smtpPort = await startMailServer()
  const mailer = createMailer({
    smtpUrl: `smtp://parley:smtp-password@127.0.0.1:${smtpPort}`,
    mailFrom: 'parley@example.org',
    dataDir: '/nowhere',
    log: createLog({ level: 'silent' }),
  })
  after(() => mailer.close())
  const app = await startApp({ tracing, mailer })
  const { alice } = await meetPeople(app)
  const meeting = standUp({ participants: ['guest-of-alice@example.net'], topic: 'Secret merger' })
  const answer = await alice.send('POST', '/api/meeting?hidden=query', meeting, {
    traceparent: `00-${trace}-00f067aa0ba902b7-01`,
  })
  assert.equal(answer.status, 200)
  await alice.send('GET', `/api/meeting/meetingDetails/${answer.body.meetingDetails._id}`)
  await app.mails()
  await tracing.stop()

  const spans = receiver.spans.filter(({ traceId }) => traceId === trace)
  const find = (name: string) => {
    const found = spans.filter((span) => span.name === name)
    assert.equal(found.length, 1, `${name}: ${spans.map((span) => span.name).join(', ')}`)
    return found[0] as ReceivedSpan
  }
  const request = find('POST /api/meeting')
  assert.equal(request.parentSpanId, '00f067aa0ba902b7')
  assert.equal(request.kind, 2)
  assert.deepEqual(request.attributes, {
    'http.request.method': 'POST',
    'http.route': '/api/meeting',
    'url.scheme': 'http',
    'http.response.status_code': 200,
    'parley.request_id': answer.headers.get('x-request-id'),
  })
  assert.equal(request.resource['service.name'], 'meetings of acme')
  assert.equal(request.resource['service.version'], '1.2.3')
  assert.equal(request.resource['deployment.environment.name'], 'test')

  const insert = find('insert-meeting')
  assert.equal(insert.parentSpanId, request.spanId)
  assert.equal(insert.kind, 3)
  assert.equal(insert.attributes['db.system.name'], 'postgresql')
  assert.match(String(insert.attributes['db.query.text']), /\$1/)

  const job = find('process deliver-to-guest')
  assert.equal(job.parentSpanId, request.spanId)
  assert.equal(job.kind, 5)
  const sending = find('SMTP send')
  assert.equal(sending.parentSpanId, job.spanId)
  assert.deepEqual(sending.attributes, {
    'network.protocol.name': 'smtp',
    'server.address': '127.0.0.1',
    'server.port': smtpPort,
  })
  assert.ok(spans.some(({ parentSpanId, name }) => parentSpanId === job.spanId && name === 'BEGIN'))
  // Work of a request after its reply, or of a timer of the service, belongs to no trace.
  const ids = new Set(receiver.spans.map(({ spanId }) => spanId))
  for (const { name, parentSpanId } of receiver.spans) {
    if (!/^(GET|POST|process) /.test(name)) assert.ok(ids.has(parentSpanId), name)
  }

  assert.equal(receiver.requests[0]?.path, '/v1/traces')
  assert.equal(receiver.requests[0]?.headers['x-api-key'], 'key of acme')
  const everything = receiver.requests.map(({ body }) => body.toString('latin1')).join('\n')
  const { _id, pin } = answer.body.meetingDetails
  assert.ok(everything.includes('/api/meeting'))
  const secrets = [alice.token, alice.email, 'guest-of-alice', 'hidden', 'smtp-password', 'Secret merger', _id, pin]
  for (const secret of [...secrets, 'key of acme']) assert.ok(!everything.includes(secret), secret)
})

test('jobs and log entries of a request name its trace also with tracing off, and tasks do not see it', async () => {
  const payloads: unknown[] = []
  const app = await startApp({ emails: 'dropped' })
  const { alice } = await meetPeople(app)
  const { rows: before } = await app.pool.query('select id from graphile_worker.jobs')
  await alice.send('POST', '/api/meeting', standUp(), { traceparent: `00-${trace}-00f067aa0ba902b7-01` })
  const { rows } = await app.pool.query('select id, payload from graphile_worker._private_jobs')
  const queued = rows.filter(({ id }) => before.every((job) => job.id !== id))
  assert.deepEqual(
    queued.map(({ payload }) => payload.traceparent),
    [`00-${trace}-00f067aa0ba902b7-01`],
  )
  const { runInOperations } = await import('./jobs/jobs.ts')
  const greet: TaskOfJob = async (payload) => void payloads.push(payload, operations.getStore()?.names)
  const { tasks } = runInOperations({ tasks: { greet }, mailTasks: {}, pushTasks: {} }, undefined)
  await tasks.greet?.(queued[0]?.payload, { job: { id: 7 } })
  const { traceparent, ...own } = queued[0]?.payload ?? {}
  assert.deepEqual(payloads, [own, { task: 'greet', jobId: 7, traceId: trace }])
})

test('a request that the caller or the ratio leaves out has no span, and passes its trace on', async () => {
  const receiver = await startOtlpReceiver()
  const { tracing } = traceTo(receiver.url)
  const left = tracing.startSpan(start, `00-${trace}-00f067aa0ba902b7-00`)
  assert.equal(left.isRecorded, false)
  assert.match(left.traceparent, new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`))
  left.end()
  await tracing.stop()
  const { tracing: none } = traceTo(receiver.url, {
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
  })
  assert.equal(none.startSpan(start, undefined).isRecorded, false)
  assert.equal(none.startSpan(start, `00-${trace}-00f067aa0ba902b7-01`).isRecorded, true)
  await none.stop()
  receiver.stop()
})

test('a call to another server carries its own span, which does not reveal the requested address', async () => {
  const receiver = await startOtlpReceiver()
  after(() => receiver.stop())
  const { tracing } = traceTo(receiver.url)
  const seen: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    seen.push(request.headers)
    response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.2')
  await once(server, 'listening')
  after(() => server.close())
  const { port } = server.address() as AddressInfo
  const guardedFetch = createGuardedFetch({
    baseUrl: 'https://meet.example.org',
    isAllowedAddress: () => true,
    isAllowedPort: () => true,
    resolveName: async () => ['127.0.0.2'],
  })
  const span = tracing.startSpan(start, undefined)
  const operation = { names: {}, traceparent: span.traceparent, span }
  await operations.run(operation, () => guardedFetch(`http://app.test:${port}/hooks/key-in-path?token=key-in-query`))
  await assert.rejects(operations.run(operation, () => guardedFetch('http://app.test:1/')))
  span.end()
  await tracing.stop()
  const calls = receiver.spans.filter(({ kind }) => kind === 3)
  assert.deepEqual(
    calls.map(({ name, statusCode, attributes }) => [name, statusCode, attributes]),
    [
      [
        'GET',
        0,
        {
          'http.request.method': 'GET',
          'url.scheme': 'http',
          'server.address': 'app.test',
          'server.port': port,
          'http.response.status_code': 404,
        },
      ],
      [
        'GET',
        2,
        {
          'http.request.method': 'GET',
          'url.scheme': 'http',
          'server.address': 'app.test',
          'server.port': 1,
          'error.type': 'no_connection',
        },
      ],
    ],
  )
  assert.equal(seen[0]?.traceparent, `00-${calls[0]?.traceId}-${calls[0]?.spanId}-01`)
  assert.ok(!receiver.requests.some(({ body }) => body.includes('key-in-')))
})

test('an unavailable or silent collector costs one log line, and delays neither spans nor the stop', async () => {
  const silent = await startOtlpReceiver({ hangs: true })
  for (const [url, reason] of [
    ['http://127.0.0.1:1', /ECONNREFUSED|refused/i],
    [silent.url, /time/i],
  ] as const) {
    const { tracing, lines } = traceTo(url)
    for (let each = 0; each < 5_000; each++) tracing.startSpan(start, undefined).end()
    await tracing.stop()
    assert.deepEqual(
      lines.map(({ level, msg }) => [level, msg]),
      [['warn', 'spans are lost: the collector does not take them']],
      url,
    )
    assert.match(String(lines[0]?.reason), reason)
  }
  silent.stop()
})
