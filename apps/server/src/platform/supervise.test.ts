import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endProcess, supervise } from './supervise.ts'

/**
 * Supervise a process that starts as `starts` say: undefined runs until it is stopped, a text is the reason of its end.
 */
function setUp(
  starts: readonly (string | Error | undefined)[],
  { maxRestarts = Number.POSITIVE_INFINITY, steadyMs = 60_000 } = {},
) {
  const stopping = new AbortController()
  const running = Promise.withResolvers<void>()
  const restarts: string[] = []
  let started = 0
  let stops = 0
  const end = supervise({
    async start() {
      const reason = starts[started++]
      if (reason instanceof Error) throw reason
      if (reason === undefined) running.resolve()
      return {
        ended: reason === undefined ? new Promise<string>(() => {}) : Promise.resolve(reason),
        stop: async () => {
          stops += 1
        },
      }
    },
    pauseMsBefore: (restart) => (restart < maxRestarts ? 0 : undefined),
    onRestart: ({ reason, restarts: before }) => restarts.push(`${before}: ${reason}`),
    signal: stopping.signal,
    steadyMs,
  })
  return { end, restarts, running: running.promise, stop: () => stopping.abort(), stops: () => stops }
}

test('restarts a process that ends, or cannot be started, until it is stopped', async () => {
  const process = setUp(['killed', new Error('no memory'), undefined])
  await process.running
  process.stop()
  assert.equal(await process.end, undefined)
  assert.deepEqual(process.restarts, ['0: killed', '1: no memory'])
  assert.equal(process.stops(), 2, 'each that had started')
})

test('gives up restarts after the last pause, with the last reason', async () => {
  const process = setUp(['first', 'second', new Error('third')], { maxRestarts: 2 })
  assert.deepEqual(await process.end, { reason: 'third', restarts: 2 })
})

test('begins a new series after a long run, and not after a failed start', async () => {
  const process = setUp(['a', 'b', 'c', new Error('d')], { maxRestarts: 1, steadyMs: -1 })
  assert.deepEqual(await process.end, { reason: 'd', restarts: 1 })
  assert.deepEqual(process.restarts, ['0: a', '0: b', '0: c'])
})

test('asks a process to end by each step in turn, and kills it after the last', async () => {
  for (const [endsAt, expected] of [
    ['gently', ['gently']],
    ['quickly', ['gently', 'quickly']],
    ['kill', ['gently', 'quickly', 'kill']],
  ] as const) {
    const sent: string[] = []
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const send = (signal: string) => {
      sent.push(signal)
      if (signal === endsAt) resolve()
    }
    const steps = ['gently', 'quickly'].map((signal) => ({ send: () => send(signal), limitMs: 1 }))
    await endProcess(ended, steps, () => send('kill'))
    assert.deepEqual(sent, expected)
  }
})
