import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createTestDatabase } from '../../../test/postgres/test-database.ts'
import { createLog } from '../log.ts'
import { createDatabase, createPool } from './database.ts'
import { createTopicSubscriptions, publish, type Topic, topicOf } from './topics.ts'

const log = createLog({ level: 'silent' })
const [waitingRoom, room] = [topicOf('waiting-room', '1'), topicOf('room', '1')]

/** Two processes on one database, as far as notifications are concerned. */
async function startTwo(t: TestContext) {
  const { connection, drop } = await createTestDatabase()
  const start = () => {
    const pool = createPool({ connection, maxConnections: 3, statementTimeoutMs: 10_000, log })
    return { pool, database: createDatabase<object>(pool), topicSubscriptions: createTopicSubscriptions({ pool, log }) }
  }
  const both = { one: start(), other: start() }
  t.after(async () => {
    for (const { pool, topicSubscriptions } of Object.values(both)) {
      await topicSubscriptions.close()
      await pool.end()
    }
    await drop()
  })
  return both
}

/** Count notifications, and wait for the next. */
function createEar() {
  let received = 0
  let { promise, resolve } = Promise.withResolvers<void>()
  return {
    count: () => received,
    next: () => promise,
    report() {
      received++
      resolve()
      ;({ promise, resolve } = Promise.withResolvers<void>())
    },
  }
}

type Side = Awaited<ReturnType<typeof startTwo>>['one']

/** Subscribe; the first subscriber of a side is notified when the connection is open. */
async function listen({ topicSubscriptions }: Side, position: 'first' | 'next', ...topics: readonly Topic[]) {
  const ear = createEar()
  const first = ear.next()
  const stop = topicSubscriptions.subscribe(topics, { published: ear.report, mayHaveMissed: ear.report })
  if (position === 'first') await first
  return { ...ear, stop }
}

test('a notification of one process reaches all subscribers, once it is committed', async (t) => {
  const { one, other } = await startTwo(t)
  const here = await listen(one, 'first', waitingRoom)
  const there = await listen(other, 'first', waitingRoom, room)
  const before = [here.count(), there.count()]
  const received = [here.next(), there.next()]
  await one.database.transaction().execute(async (tx) => {
    await publish(tx, waitingRoom, room)
    await publish(tx, topicOf('waiting-room', '2'))
  })
  await Promise.all(received)
  // A later notification has arrived, so all earlier ones have.
  const last = there.next()
  await publish(other.database, room)
  await last
  assert.deepEqual([here.count() - Number(before[0]), there.count() - Number(before[1])], [1, 3])
})

test('a rollback notifies no subscriber, and an ended subscription gets nothing', async (t) => {
  const { one, other } = await startTwo(t)
  const stopped = await listen(other, 'first', waitingRoom)
  const kept = await listen(other, 'next', room)
  stopped.stop()
  const [before, beforeKept] = [stopped.count(), kept.count()]
  await assert.rejects(
    one.database.transaction().execute(async (tx) => {
      await publish(tx, waitingRoom, room)
      throw new Error('no')
    }),
  )
  const received = kept.next()
  await publish(one.database, waitingRoom, room)
  await received
  assert.deepEqual([stopped.count() - before, kept.count() - beforeKept], [0, 1])
})

test('restores a lost connection, and checks for missed changes', async (t) => {
  const { one, other } = await startTwo(t)
  const there = await listen(other, 'first', waitingRoom)
  const again = there.next()
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen %'`
  const { rowCount } = await one.pool.query(cut)
  assert.equal(rowCount, 1)
  await again
  const received = there.next()
  await publish(one.database, waitingRoom)
  await received
})

test('closing returns the connection, before the first subscription and while it is opened', async (t) => {
  const { one, other } = await startTwo(t)
  await one.topicSubscriptions.close()
  assert.equal(one.pool.totalCount, 0)
  other.topicSubscriptions.subscribe([waitingRoom], { published() {}, mayHaveMissed() {} })
  await other.topicSubscriptions.close()
  assert.equal(other.pool.totalCount, 0)
})
