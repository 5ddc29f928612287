import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { secureRandom } from '../random.ts'
import { readTraceparent, traceIdOf } from '../trace.ts'
import { createHttp } from './http.ts'

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${trace}-00f067aa0ba902b7-01`

for (const [sent, read] of [
  [traceparent, trace],
  [`01-${trace}-00f067aa0ba902b7-00`, trace],
  [`ff-${trace}-00f067aa0ba902b7-01`, undefined],
  [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, undefined],
  [`00-${trace}-${'0'.repeat(16)}-01`, undefined],
  [`00-${trace.toUpperCase()}-00f067aa0ba902b7-01`, undefined],
  [`${traceparent}"}`, undefined],
  ['', undefined],
] as const) {
  test(`traceparent ${sent} is ${read === undefined ? 'not taken' : 'taken'}`, () => {
    const taken = readTraceparent(sent)
    assert.equal(taken && traceIdOf(taken), read)
  })
}

function listen() {
  const lines: Record<string, unknown>[] = []
  const log = createLog({ level: 'info', destination: { write: (line) => void lines.push(JSON.parse(line)) } })
  const http = createHttp({
    baseUrl: 'http://parley.test',
    trustProxy: [],
    clock: systemClock,
    random: secureRandom,
    log,
  })
  const namesIn = (message: string) =>
    lines.filter(({ msg }) => msg === message).map(({ requestId, traceId }) => ({ requestId, traceId }))
  return { http, log, namesIn }
}

test('the log entry of a reply names the trace of its request', async () => {
  const { http, namesIn } = listen()
  await http.inject({ url: '/', headers: { traceparent } })
  await http.inject('/')
  assert.deepEqual(
    namesIn('answered').map(({ traceId }) => traceId),
    [trace, undefined],
  )
  await http.close()
})

test('every log entry of a request names it, before and after its body and its waits, until it has ended', async () => {
  const { http, log, namesIn } = listen()
  const { promise: later, resolve } = Promise.withResolvers<void>()
  http.post('/notes', async () => {
    log.info('at once')
    await sleep(1)
    log.child({ part: 'notes' }).warn('after a wait')
    setTimeout(() => {
      log.info('after the end')
      resolve()
    }, 200)
    throw new Error('of no kind that is known')
  })
  // Over a real connection, on which a body arrives in separate events.
  const base = await http.listen({ port: 0, host: '127.0.0.1' })
  const body = JSON.stringify({ text: 'x'.repeat(200_000) })
  const send = (headers: Record<string, string>) =>
    fetch(`${base}/notes`, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
  const [first, second] = await Promise.all([send({ traceparent }), send({})])
  const names = [
    { requestId: first.headers.get('x-request-id'), traceId: trace },
    { requestId: second.headers.get('x-request-id'), traceId: undefined },
  ]
  const byTrace = (some: object[]) =>
    some.toSorted((a, b) => ('traceId' in a && a.traceId ? -1 : 1) - ('traceId' in b && b.traceId ? -1 : 1))
  for (const message of ['at once', 'after a wait', 'request failed', 'answered']) {
    assert.deepEqual(byTrace(namesIn(message)), names, message)
  }
  await later
  assert.deepEqual(namesIn('after the end')[0], { requestId: undefined, traceId: undefined })
  log.info('of no request')
  assert.deepEqual(namesIn('of no request'), [{ requestId: undefined, traceId: undefined }])
  await http.close()
})
