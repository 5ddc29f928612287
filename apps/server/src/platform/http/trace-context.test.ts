import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { secureRandom } from '../random.ts'
import { createHttp } from './http.ts'
import { readTraceId } from './trace-context.ts'

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'

for (const [traceparent, read] of [
  [`00-${trace}-00f067aa0ba902b7-01`, trace],
  [`01-${trace}-00f067aa0ba902b7-00`, trace],
  [`ff-${trace}-00f067aa0ba902b7-01`, undefined],
  [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, undefined],
  [`00-${trace}-${'0'.repeat(16)}-01`, undefined],
  [`00-${trace.toUpperCase()}-00f067aa0ba902b7-01`, undefined],
  [`00-${trace}-00f067aa0ba902b7-01"}`, undefined],
  ['', undefined],
] as const) {
  test(`traceparent ${traceparent} is ${read === undefined ? 'not taken' : 'taken'}`, () => {
    assert.equal(readTraceId({ traceparent }), read)
  })
}

test('the log of an answer names the trace of its request', async () => {
  const lines: string[] = []
  const http = createHttp({
    ...{ baseUrl: 'http://parley.test', trustProxy: [], clock: systemClock, random: secureRandom },
    log: createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } }),
  })
  await http.inject({ url: '/', headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` } })
  await http.inject('/')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)).map(({ msg, traceId }) => [msg, traceId]),
    [
      ['answered', trace],
      ['answered', undefined],
    ],
  )
  await http.close()
})
