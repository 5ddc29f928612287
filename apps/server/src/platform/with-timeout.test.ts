import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timedOut, withTimeout } from './with-timeout.ts'

test('returns or throws the result of work that ends in time, and never aborts its signal', async () => {
  const signals: AbortSignal[] = []
  const returned = await withTimeout(10_000, async (signal) => {
    signals.push(signal)
    return 'done'
  })
  assert.equal(returned, 'done')
  await assert.rejects(
    withTimeout(10_000, async () => {
      throw new Error('refused')
    }),
    /refused/,
  )
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [false],
  )
})

test('aborts work that does not end, and ignores its later errors', async () => {
  const aborted = Promise.withResolvers<void>()
  const result = await withTimeout(1, (signal) => {
    signal.addEventListener('abort', () => aborted.resolve())
    return aborted.promise.then(() => {
      throw new Error('too late')
    })
  })
  assert.equal(result, timedOut)
  await aborted.promise
})
