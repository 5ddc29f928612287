import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProblemError } from '../../platform/http/problem.ts'
import { createFairConcurrencyLimit, type GroupPath } from './fair-concurrency-limit.ts'

const isRefusal = (error: unknown) =>
  error instanceof ProblemError && error.code === 'unavailable' && error.headers['retry-after'] === '2'

/** A limit of one task at a time, whose first task occupies it; tasks record their name when they run. */
function stage({ maxWaiting }: { maxWaiting: number }) {
  const runFairly = createFairConcurrencyLimit({ maxConcurrent: 1, maxWaiting })
  const first = Promise.withResolvers<void>()
  const ran: string[] = []
  const refused: string[] = []
  const settled: Promise<void>[] = [runFairly(['first'], () => first.promise)]
  return {
    refused,
    add(path: GroupPath, name = path.join(' ')) {
      const done = runFairly(path, async () => void ran.push(name))
      settled.push(
        done.catch((error) => {
          assert.ok(isRefusal(error))
          refused.push(name)
        }),
      )
    },
    async finish() {
      first.resolve()
      await Promise.all(settled)
      return ran
    },
  }
}

test('runs two at a time in the order of arrival, and refuses a task beyond the limit at once', async () => {
  const runFairly = createFairConcurrencyLimit({ maxConcurrent: 2, maxWaiting: 3 })
  const begun: number[] = []
  const gates = Array.from({ length: 6 }, () => Promise.withResolvers<number>())
  const all = gates.slice(0, 5).map(({ promise }, at) =>
    runFairly(['alice'], () => {
      begun.push(at)
      return promise
    }),
  )
  assert.deepEqual(begun, [0, 1])
  await assert.rejects(
    runFairly(['alice'], async () => 5),
    isRefusal,
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

test('passes the turn on after failed work', async () => {
  const runFairly = createFairConcurrencyLimit({ maxConcurrent: 1, maxWaiting: 1 })
  const failing = runFairly(['alice'], async () => {
    throw new Error('no')
  })
  const next = runFairly(['alice'], async () => 'next')
  await assert.rejects(failing, /no/)
  assert.equal(await next, 'next')
  assert.equal(await runFairly(['alice'], async () => 'later'), 'later')
})

test('a caller with many tasks waits for itself, and the others have every second turn', async () => {
  const { add, finish } = stage({ maxWaiting: 100 })
  for (let at = 1; at <= 4; at++) add(['mallory'], `mallory ${at}`)
  for (let at = 1; at <= 2; at++) add(['alice'], `alice ${at}`)
  add(['bob'], 'bob 1')
  assert.deepEqual(await finish(), ['mallory 1', 'alice 1', 'bob 1', 'mallory 2', 'alice 2', 'mallory 3', 'mallory 4'])
})

test('gives each account of an office its turn, and the office one turn among the networks', async () => {
  const { add, finish } = stage({ maxWaiting: 100 })
  for (let at = 1; at <= 3; at++) add(['office', 'mallory'], `mallory ${at}`)
  add(['office', 'bob'], 'bob')
  for (let at = 1; at <= 2; at++) add(['home', 'alice'], `alice ${at}`)
  assert.deepEqual(await finish(), ['mallory 1', 'alice 1', 'bob', 'alice 2', 'mallory 2', 'mallory 3'])
})

test('replaces the newest task of the most crowded group when the queue is full', async () => {
  const { add, finish, refused } = stage({ maxWaiting: 4 })
  for (let at = 1; at <= 4; at++) add(['office', 'mallory'], `mallory ${at}`)
  add(['home', 'alice'], 'alice 1')
  add(['office', 'bob'], 'bob')
  add(['home', 'alice'], 'alice 2')
  const ran = await finish()
  assert.deepEqual(ran, ['mallory 1', 'alice 1', 'bob', 'alice 2'])
  assert.deepEqual(refused, ['mallory 4', 'mallory 3', 'mallory 2'])
})

test('refuses a new task of the most crowded group, and keeps the earlier among equals', async () => {
  const { add, finish, refused } = stage({ maxWaiting: 2 })
  add(['mallory'], 'mallory 1')
  add(['mallory'], 'mallory 2')
  add(['mallory'], 'mallory 3')
  add(['alice'], 'alice')
  add(['bob'], 'bob')
  assert.deepEqual(await finish(), ['mallory 1', 'alice'])
  assert.deepEqual(refused, ['mallory 3', 'mallory 2', 'bob'])
})

test('loses no task and frees every place, whatever the order', async () => {
  // A fixed sequence (Knuth, MMIX), so that a failure can be seen again.
  let state = 1n
  const next = (below: number) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn
    return Number((state >> 33n) % BigInt(below))
  }
  const runFairly = createFairConcurrencyLimit({ maxConcurrent: 3, maxWaiting: 10 })
  let running = 0
  let [done, refused] = [0, 0]
  const tasks: Promise<void>[] = []
  for (let at = 0; at < 500; at++) {
    const path: GroupPath = [`site ${next(3)}`, `network ${next(3)}`, `account ${next(4)}`]
    const task = runFairly(path, async () => {
      running++
      assert.ok(running <= 3)
      for (let pause = next(4); pause > 0; pause--) await Promise.resolve()
      running--
      done++
    }).catch((error) => {
      assert.ok(isRefusal(error))
      refused++
    })
    tasks.push(task)
    if (next(5) === 0) await Promise.resolve()
  }
  await Promise.all(tasks)
  assert.equal(done + refused, 500)
  assert.ok(done >= 13, 'those who run and those who wait')
  assert.equal(await runFairly(['site 1', 'network 1', 'account 1'], async () => 'afterwards'), 'afterwards')
})
