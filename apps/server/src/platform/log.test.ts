import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { test } from 'node:test'
import type { Logger } from 'pino'
import { createLog, createLogLineLimit, type LogFormat } from './log.ts'
import { operations } from './operation.ts'

/** The lines that `act` writes to the log. */
function logged(act: (log: Logger) => void, level = 'trace', format: LogFormat = 'json'): Record<string, unknown>[] {
  const lines: string[] = []
  act(createLog({ level, format, destination: { write: (line) => void lines.push(line) } }))
  return lines.map((line) => JSON.parse(line))
}

const secrets = {
  authorization: 'Bearer hidden',
  cookie: 'hidden',
  'set-cookie': ['hidden'],
  password: 'hidden',
  newPassword: 'hidden',
  token: 'hidden',
  secret: { inside: 'hidden' },
  pin: 'hidden',
  vpin: 'hidden',
  roomPIN: 'hidden',
  roomKey: 'hidden',
  jcKey: 'hidden',
  code: 'hidden',
  'idempotency-key': 'hidden',
  'Idempotency-Key': 'hidden',
  PASSWORD: 'hidden',
}

/** Secrets that a driver attaches to its errors; their own `code` is a name, and wanted. */
const baggage = { ...secrets, code: '23505', detail: 'Key (email)=(hidden) already exists.' }

const shapes: [string, object][] = [
  ['at the top', secrets],
  ['in an object', { body: secrets }],
  ['in a list', { meetings: [{ host: secrets }] }],
  ['four levels down', { a: { b: { c: { d: secrets } } } }],
  ['below the depth that is shown', { a: { b: { c: { d: { e: { f: { g: secrets } } } } } } }],
  ['in an error', { err: Object.assign(new Error('refused'), baggage) }],
  ['in an error elsewhere', { problem: Object.assign(new Error('refused'), baggage) }],
  ['in the cause of an error', { err: new Error('outer', { cause: Object.assign(new Error('inner'), baggage) }) }],
  ['in an object of a class', { thing: Object.assign(new (class Thing {})(), secrets) }],
  ['in a request', { req: { method: 'GET', url: '/x', headers: secrets } }],
]
for (const [where, shape] of shapes) {
  test(`does not log secrets ${where}`, () => {
    const [entry] = logged((log) => log.info(shape, 'refused'))
    assert.equal(entry?.msg, 'refused')
    assert.equal(JSON.stringify(entry).includes('hidden'), false)
    const [inEcs] = logged((log) => log.info(shape, 'refused'), 'trace', 'ecs')
    assert.equal(inEcs?.message, 'refused')
    assert.equal(JSON.stringify(inEcs).includes('hidden'), false)
  })
}

test('with ecs, lines have the fields of the Elastic Common Schema, and ours below parley', () => {
  const error = Object.assign(new TypeError('no'), { code: '23505', table: 'meeting' })
  const operation = { names: { requestId: 'r1', traceId: 't1' }, traceparent: undefined, span: undefined }
  const [answered, failed, job, raw] = logged(
    (log) => {
      operations.run(operation, () => log.info({ method: 'GET', route: '/x', status: 200, durationMs: 3 }, 'answered'))
      log.error({ err: error, meetingId: 'm1' }, 'failed')
      log.child({ task: 'remind' }).warn({ jobId: 7, status: 'late', req: undefined }, 'a job')
      log.info({ req: { id: 'r2', method: 'GET', url: '/x?code=hidden', ip: '192.0.2.1' } }, 'asked')
    },
    'trace',
    'ecs',
  )
  const { '@timestamp': time, process: thisProcess, host, ...fields } = answered ?? {}
  assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual([thisProcess, host], [{ pid: process.pid }, { hostname: hostname() }])
  assert.deepEqual(fields, {
    'log.level': 'info',
    'ecs.version': '8.17.0',
    service: { name: 'parley' },
    trace: { id: 't1' },
    http: { request: { id: 'r1', method: 'GET' }, response: { status_code: 200 } },
    event: { duration: 3_000_000 },
    parley: { route: '/x' },
    message: 'answered',
  })
  const { stack_trace: stack, ...described } = { ...(failed?.error as object) } as Record<string, unknown>
  assert.match(String(stack), /log\.test\.ts/)
  assert.deepEqual(described, { type: 'TypeError', message: 'no', code: '23505', parley: { table: 'meeting' } })
  assert.deepEqual(failed?.parley, { meetingId: 'm1' })
  assert.deepEqual([job?.task, job?.parley], ['remind', { jobId: 7, status: 'late' }])
  assert.deepEqual(
    [raw?.url, raw?.client, raw?.http],
    [{ path: '/x' }, { ip: '192.0.2.1' }, { request: { id: 'r2', method: 'GET' } }],
  )
})

test('does not log secrets bound to a child logger', () => {
  const [entry] = logged((log) => log.child({ token: 'hidden', room: 'kept' }).info('joined'))
  assert.equal(entry?.token, '[redacted]')
  assert.equal(entry?.room, 'kept')
})

test('logs everything else as it is', () => {
  const at = new Date('2030-01-07T09:00:00Z')
  const [entry] = logged((log) => log.info({ status: 200, at, list: [1, null, 'a'], tokens: 3, none: undefined }, 'ok'))
  assert.equal(entry?.level, 'info')
  assert.equal(entry?.status, 200)
  assert.equal(entry?.at, '2030-01-07T09:00:00.000Z')
  assert.deepEqual(entry?.list, [1, null, 'a'])
  assert.equal(entry?.tokens, 3)
  assert.match(String(entry?.time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('logs an error with its code, its location and its cause', () => {
  const cause = Object.assign(new Error('connect ENOENT'), { code: 'ENOENT' })
  const entries = logged((log) => {
    log.error(new Error('no database', { cause }))
    log.error({ err: new AggregateError([cause], 'no database') }, 'no database')
  })
  for (const entry of entries) {
    const { stack, causes } = entry.err as { stack: string; causes: { message: string; errorCode: string }[] }
    assert.equal(entry.msg, 'no database')
    assert.match(stack, /log\.test\.ts/)
    assert.equal(causes[0]?.message, 'connect ENOENT')
    assert.equal(causes[0]?.errorCode, 'ENOENT')
  }
})

test('logs a circular object in part', () => {
  const loop: Record<string, unknown> = { name: 'loop' }
  loop.self = loop
  assert.equal(logged((log) => log.info({ loop }, 'round'))[0]?.msg, 'round')
})

test('logs a request by method, path, address and id, without its query', () => {
  const req = { id: 'r1', method: 'GET', url: '/oauth2/authorize?code=hidden&q=hidden', ip: '192.0.2.1', headers: {} }
  const [entry] = logged((log) => log.info({ req }, 'answered'))
  assert.deepEqual(entry?.req, { id: 'r1', method: 'GET', path: '/oauth2/authorize', remoteAddress: '192.0.2.1' })
})

test('logs a raw request of Node likewise', () => {
  const req = { method: 'GET', url: '/healthz', socket: { remoteAddress: '::1' } }
  const [entry] = logged((log) => log.info({ req }, 'answered'))
  assert.deepEqual(entry?.req, { method: 'GET', path: '/healthz', remoteAddress: '::1' })
})

test('treats the address of a calendar as a secret, also in a path', () => {
  const req = { method: 'GET', url: '/calendar/cal_hidden.ics?x=1', ip: '192.0.2.1' }
  const [entry] = logged((log) => log.info({ req }, 'answered'))
  assert.deepEqual(entry?.req, { method: 'GET', path: '/calendar/[redacted]', remoteAddress: '192.0.2.1' })
})

test('does not log lines below the level', () => {
  assert.deepEqual(
    logged((log) => log.info('quiet'), 'warn'),
    [],
  )
  assert.equal(logged((log) => log.warn('loud'), 'warn').length, 1)
})

test('logs one line a second for each kind, with the number of those left out', () => {
  let nowMs = 5
  const limit = createLogLineLimit({ now: () => nowMs })
  assert.deepEqual(limit.admit('send-mail'), { unlogged: 0 })
  assert.equal(limit.admit('send-mail'), undefined)
  assert.deepEqual(limit.admit('check-page'), { unlogged: 0 })
  nowMs += 999
  assert.equal(limit.admit('send-mail'), undefined)
  nowMs += 1
  assert.deepEqual(limit.admit('send-mail'), { unlogged: 2 })
  assert.equal(limit.admit('send-mail'), undefined)
  nowMs += 1_000
  assert.deepEqual(limit.admit('send-mail'), { unlogged: 1 })
})
