import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFairLimit, type GroupPath } from './fair-limit.ts'
import { ProblemError } from './http/problem.ts'

/** Tasks that cost one place each, with one way of taking turns. */
function createRun(options: { maxInProgress: number; maxWaiting: number }) {
  const { run } = createFairLimit(options)
  return <T>(path: GroupPath, work: () => Promise<T>) => run({ paths: [path] }, work)
}

const isRefusal = (error: unknown) =>
  error instanceof ProblemError && error.code === 'unavailable' && error.headers['retry-after'] === '2'

/** A limit of one task at a time, whose first task occupies it; tasks record their name when they run. */
function setUp({ maxWaiting }: { maxWaiting: number }) {
  const runFairly = createRun({ maxInProgress: 1, maxWaiting })
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
  const runFairly = createRun({ maxInProgress: 2, maxWaiting: 3 })
  const begun: number[] = []
  const gates = Array.from({ length: 6 }, () => Promise.withResolvers<number>())
  const all = gates.slice(0, 5).map(({ promise }, at) =>
    runFairly(['alice'], () => {
      begun.push(at)
      return promise
    }),
  )
  await runQueued()
  assert.deepEqual(begun, [0, 1])
  await assert.rejects(
    runFairly(['alice'], async () => 5),
    isRefusal,
  )
  gates[1]?.resolve(1)
  await all[1]
  await runQueued()
  assert.deepEqual(begun, [0, 1, 2])
  gates.forEach(({ resolve }, at) => {
    resolve(at)
  })
  assert.deepEqual(await Promise.all(all), [0, 1, 2, 3, 4])
  assert.deepEqual(begun, [0, 1, 2, 3, 4])
})

test('passes the turn on after failed work', async () => {
  const runFairly = createRun({ maxInProgress: 1, maxWaiting: 1 })
  const failing = runFairly(['alice'], async () => {
    throw new Error('no')
  })
  const next = runFairly(['alice'], async () => 'next')
  await assert.rejects(failing, /no/)
  assert.equal(await next, 'next')
  assert.equal(await runFairly(['alice'], async () => 'later'), 'later')
})

test('a caller with many tasks waits for itself, and the others have every second turn', async () => {
  const { add, finish } = setUp({ maxWaiting: 100 })
  for (let at = 1; at <= 4; at++) add(['mallory'], `mallory ${at}`)
  for (let at = 1; at <= 2; at++) add(['alice'], `alice ${at}`)
  add(['bob'], 'bob 1')
  assert.deepEqual(await finish(), ['mallory 1', 'alice 1', 'bob 1', 'mallory 2', 'alice 2', 'mallory 3', 'mallory 4'])
})

test('gives each account of an office its turn, and the office one turn among the networks', async () => {
  const { add, finish } = setUp({ maxWaiting: 100 })
  for (let at = 1; at <= 3; at++) add(['office', 'mallory'], `mallory ${at}`)
  add(['office', 'bob'], 'bob')
  for (let at = 1; at <= 2; at++) add(['home', 'alice'], `alice ${at}`)
  assert.deepEqual(await finish(), ['mallory 1', 'alice 1', 'bob', 'alice 2', 'mallory 2', 'mallory 3'])
})

test('replaces the newest task of the most crowded group when the queue is full', async () => {
  const { add, finish, refused } = setUp({ maxWaiting: 4 })
  for (let at = 1; at <= 4; at++) add(['office', 'mallory'], `mallory ${at}`)
  add(['home', 'alice'], 'alice 1')
  add(['office', 'bob'], 'bob')
  add(['home', 'alice'], 'alice 2')
  const ran = await finish()
  assert.deepEqual(ran, ['mallory 1', 'alice 1', 'bob', 'alice 2'])
  assert.deepEqual(refused.toSorted(), ['mallory 2', 'mallory 3', 'mallory 4'])
})

test('refuses a new task of the most crowded group, and keeps the earlier among equals', async () => {
  const { add, finish, refused } = setUp({ maxWaiting: 2 })
  add(['mallory'], 'mallory 1')
  add(['mallory'], 'mallory 2')
  add(['mallory'], 'mallory 3')
  add(['alice'], 'alice')
  add(['bob'], 'bob')
  assert.deepEqual(await finish(), ['mallory 1', 'alice'])
  assert.deepEqual(refused.toSorted(), ['bob', 'mallory 2', 'mallory 3'])
})

test('loses no task and frees every place, whatever the order', async () => {
  // A fixed sequence (Knuth, MMIX), so that a failure can be seen again.
  let state = 1n
  const next = (below: number) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn
    return Number((state >> 33n) % BigInt(below))
  }
  const runFairly = createRun({ maxInProgress: 3, maxWaiting: 10 })
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

/** Let everything that can run do so. */
const runQueued = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Take places and record who has one; `leave` returns the oldest place of a requester. */
function places(options: { maxInProgress: number; maxWaiting: number }) {
  const limit = createFairLimit(options)
  const inside: { name: string; release: () => void }[] = []
  const refused: string[] = []
  return {
    refused,
    inside: () => inside.map(({ name }) => name),
    async enter(name: string, task: Parameters<typeof limit.take>[0]) {
      void limit.take(task).then(
        (release) => inside.push({ name, release }),
        (error) => refused.push(`${name} ${error.code}`),
      )
      await runQueued()
    },
    async leave(name: string) {
      const [left] = inside.splice(
        inside.findIndex((each) => each.name === name),
        1,
      )
      left?.release()
      // A place is returned once, however often the caller says so.
      left?.release()
      await runQueued()
    },
  }
}

test('a requester has as much in progress as its limit, by cost; the rest waits, and what exceeds that is refused', async () => {
  const { enter, leave, inside, refused } = places({ maxInProgress: 100, maxWaiting: 100 })
  const ask = (name: string, ofRequester: number) =>
    enter(name, {
      paths: [['mallory', name]],
      cost: { ofRequester, ofAll: ofRequester },
      limits: { inProgress: 16, waiting: 2 },
    })
  await ask('heavy 1', 8)
  await ask('heavy 2', 8)
  await ask('light 1', 1)
  await ask('light 2', 1)
  await ask('light 3', 1)
  assert.deepEqual(inside(), ['heavy 1', 'heavy 2'])
  assert.deepEqual(refused, ['light 3 too_many_requests'])
  await enter('alice', {
    paths: [['alice']],
    cost: { ofRequester: 8, ofAll: 8 },
    limits: { inProgress: 16, waiting: 2 },
  })
  assert.deepEqual(inside(), ['heavy 1', 'heavy 2', 'alice'])
  await leave('heavy 1')
  assert.deepEqual(inside(), ['heavy 2', 'alice', 'light 1', 'light 2'])
})

test('a task that costs more than all that its requester may have runs alone', async () => {
  const { enter, leave, inside } = places({ maxInProgress: 100, maxWaiting: 100 })
  const limits = { inProgress: 4, waiting: 5 }
  await enter('export', { paths: [['alice']], cost: { ofRequester: 9, ofAll: 200 }, limits })
  await enter('light', { paths: [['alice']], limits })
  assert.deepEqual(inside(), ['export'])
  await leave('export')
  assert.deepEqual(inside(), ['light'])
})

test('when all places are taken, each requester has its turn, and a costly task is not overtaken for ever', async () => {
  const { enter, leave, inside } = places({ maxInProgress: 4, maxWaiting: 100 })
  const limits = { inProgress: 4, waiting: 50 }
  for (const at of [1, 2, 3, 4]) await enter(`mallory ${at}`, { paths: [['mallory']], limits })
  for (const at of [5, 6]) await enter(`mallory ${at}`, { paths: [['mallory']], limits })
  await enter('alice', { paths: [['alice']], cost: { ofRequester: 3, ofAll: 3 }, limits })
  await enter('bob', { paths: [['bob']], limits })
  await leave('mallory 1')
  await leave('mallory 2')
  await leave('mallory 3')
  // Mallory's turn came first; Alice waits for three places, which nobody takes meanwhile.
  assert.deepEqual(inside(), ['mallory 4', 'mallory 5'])
  await leave('mallory 4')
  assert.deepEqual(inside(), ['mallory 5', 'alice'])
  await leave('mallory 5')
  assert.deepEqual(inside(), ['alice', 'bob'])
})

test('a task that costs only its requester never waits for others', async () => {
  const { enter, inside } = places({ maxInProgress: 1, maxWaiting: 10 })
  await enter('mallory', { paths: [['mallory']] })
  await enter('bob', { paths: [['bob']] })
  await enter('alice', { paths: [['alice']], cost: { ofRequester: 1, ofAll: 0 } })
  assert.deepEqual(inside(), ['mallory', 'alice'])
})

test('a task that is alone in one of two ways of taking turns waits for two tasks at most', async () => {
  const crowd = (kind: string, site: (at: number) => string, account: (at: number) => string) =>
    Array.from({ length: 50 }, (_, at): [string, [GroupPath, GroupPath]] => [
      `${kind} ${at}`,
      [[site(at)], [account(at)]],
    ])
  const alice: [string, [GroupPath, GroupPath]] = ['alice', [['home'], ['alice']]]
  for (const tasks of [
    crowd(
      'many networks, one account',
      (at) => `site ${at}`,
      () => 'mallory',
    ),
    crowd(
      'one network, many accounts',
      () => 'site',
      (at) => `account ${at}`,
    ),
  ]) {
    for (const maxWaiting of [100, 50]) {
      const { run } = createFairLimit({ maxInProgress: 1, maxWaiting })
      const gate = Promise.withResolvers<void>()
      const ran: string[] = []
      const all = [run({ paths: [['first'], ['first']] }, () => gate.promise)]
      for (const [name, paths] of [...tasks, alice]) {
        all.push(run({ paths }, async () => void ran.push(name)).catch((error) => assert.ok(isRefusal(error))))
      }
      gate.resolve()
      await Promise.all(all)
      assert.ok(ran.indexOf('alice') >= 0 && ran.indexOf('alice') <= 2, `${ran.slice(0, 4)}`)
      assert.equal(ran.length, maxWaiting === 100 ? 51 : 50)
    }
  }
})
