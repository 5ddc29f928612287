import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProblemError } from '../platform/problem.ts'
import { createTurns } from './turns.ts'

test('two at a time, in the order in which they came, and the one too many is refused at once', async () => {
  const inTurn = createTurns({ mostAtOnce: 2, mostWaiting: 3 })
  const begun: number[] = []
  const gates = Array.from({ length: 6 }, () => Promise.withResolvers<number>())
  const all = gates.slice(0, 5).map(({ promise }, at) =>
    inTurn(() => {
      begun.push(at)
      return promise
    }),
  )
  assert.deepEqual(begun, [0, 1])
  await assert.rejects(
    inTurn(async () => 5),
    (error) => error instanceof ProblemError && error.code === 'unavailable' && error.headers['retry-after'] === '2',
  )
  gates[1]?.resolve(1)
  await all[1]
  assert.deepEqual(begun, [0, 1, 2])
  gates.forEach(({ resolve }, at) => {
    resolve(at)
  })
  assert.deepEqual(await Promise.all(all), [0, 1, 2, 3, 4])
  assert.deepEqual(begun, [0, 1, 2, 3, 4])
})

test('work that fails gives its turn on', async () => {
  const inTurn = createTurns({ mostAtOnce: 1, mostWaiting: 1 })
  const failing = inTurn(async () => {
    throw new Error('no')
  })
  const next = inTurn(async () => 'next')
  await assert.rejects(failing, /no/)
  assert.equal(await next, 'next')
  assert.equal(await inTurn(async () => 'later'), 'later')
})
