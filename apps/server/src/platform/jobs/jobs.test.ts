import assert from 'node:assert/strict'
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { after, afterEach, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { startRestartablePostgres } from '../../../test/postgres/restartable-postgres.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/postgres/test-database.ts'
import { createDatabase, createPool } from '../database/database.ts'
import { defineStatement } from '../database/define-statement.ts'
import { createLog } from '../log.ts'
import { type Job, jobQueue, jobsOfRows, migrateJobs, type RunningJobs, startJobs, type TaskOfJob } from './jobs.ts'

const log = createLog({ level: 'silent' })
/** Each test has a database of its own, since tests leave jobs in it. */
const databases: TestDatabase[] = []
let testDatabase: TestDatabase
let opened: { end(): Promise<unknown> }[] = []
beforeEach(async () => {
  testDatabase = await createTestDatabase()
  databases.push(testDatabase)
})
afterEach(async () => {
  for (const one of opened.reverse()) await one.end()
  opened = []
})
after(async () => {
  for (const one of databases) await one.drop()
})

function openPool(connection = testDatabase.connection): Pool {
  const pool = createPool({ connection, maxConnections: 6, statementTimeoutMs: 4_000, log })
  opened.push(pool)
  return pool
}

async function start(pool: Pool, tasks: Record<string, TaskOfJob>, jobsLog: Logger = log): Promise<RunningJobs> {
  const jobs = await startJobs({ pool, tasks, log: jobsLog, concurrency: 2 })
  opened.push({ end: () => jobs.stop() })
  return jobs
}

const add = (pool: Pool, job: Job) => jobQueue.add(createDatabase(pool), job)

async function until(check: () => boolean | Promise<boolean>) {
  while (!(await check())) await sleep(10)
}

const waiting = async (pool: Pool) => (await pool.query('select * from graphile_worker.jobs order by id')).rows

test('runs a job with its payload, once, and removes it', async () => {
  const pool = openPool()
  const greeted: unknown[] = []
  await start(pool, { greet: async (payload) => void greeted.push(payload) })
  const payload = { to: 'bob', list: [1, null, 'ä'], nothing: null }
  await add(pool, { task: 'greet', payload })
  await until(async () => (await waiting(pool)).length === 0)
  assert.deepEqual(greeted, [payload])
})

test('runs a job when its transaction is committed, and never when that is rolled back', async () => {
  const pool = openPool()
  const db = createDatabase(pool)
  const ran: unknown[] = []
  await start(pool, { note: async (payload) => void ran.push(payload) })
  await db
    .transaction()
    .execute(async (tx) => {
      await jobQueue.add(tx, { task: 'note', payload: 'rolled back' })
      throw new Error('no')
    })
    .catch(() => {})
  await db.transaction().execute(async (tx) => {
    await jobQueue.add(tx, { task: 'note', payload: 'committed' })
    assert.deepEqual(ran, [])
  })
  await until(() => ran.length > 0)
  assert.deepEqual(ran, ['committed'])
})

test('a job with a key replaces the waiting one; the queue, the time and the attempts are kept', async () => {
  const pool = openPool()
  await start(pool, { other: async () => {} })
  const runAt = new Date('2040-01-01T00:00:00Z')
  await add(pool, { task: 'remind', payload: 'old', key: 'reminder of bob' })
  await add(pool, { task: 'remind', payload: 'new', key: 'reminder of bob', runAt, queue: 'reminders', maxAttempts: 3 })
  const [job, ...more] = await waiting(pool)
  assert.deepEqual(more, [])
  assert.deepEqual([job.run_at, job.queue_name, job.max_attempts], [runAt, 'reminders', 3])
  assert.equal((await pool.query('select payload from graphile_worker._private_jobs')).rows[0]?.payload, 'new')
})

test('retries a failing job later, and gives it up after the last attempt with a log entry', async () => {
  const pool = openPool()
  const lines: Record<string, unknown>[] = []
  const spy = createLog({ level: 'warn', destination: { write: (line) => void lines.push(JSON.parse(line)) } })
  let attempts = 0
  await start(
    pool,
    {
      fail: async () => {
        attempts++
        throw new Error('the mail server says no')
      },
    },
    spy,
  )
  await add(pool, { task: 'fail', payload: { secret: 'hidden' }, maxAttempts: 2 })
  await until(() => lines.length === 1)
  await until(async () => (await waiting(pool))[0]?.locked_at === null)
  const [job] = await waiting(pool)
  assert.deepEqual([job.attempts, job.last_error, job.run_at > new Date()], [1, 'the mail server says no', true])

  await pool.query('update graphile_worker._private_jobs set run_at = now()')
  await until(() => lines.length === 2)
  assert.deepEqual(
    lines.map(({ level, msg, attempt }) => ({ level, msg, attempt })),
    [
      { level: 'warn', msg: 'a job failed; it is tried again', attempt: 1 },
      { level: 'error', msg: 'a job failed for the last time and is given up', attempt: 2 },
    ],
  )
  assert.equal(attempts, 2)
  assert.equal(JSON.stringify(lines).includes('hidden'), false)
  await until(async () => (await waiting(pool))[0]?.locked_at === null)
  await pool.query("update graphile_worker._private_jobs set run_at = now() - interval '31 days'")
  await start(pool, { other: async () => {} })
  await until(async () => (await waiting(pool)).length === 0)
})

test('schedules an hourly task in the database, so that one instance alone queues it', async () => {
  const pool = openPool()
  const jobs = await startJobs({ pool, tasks: { clear: async () => {} }, hourly: ['forget'], log, concurrency: 1 })
  opened.push({ end: () => jobs.stop() })
  const known = "select from graphile_worker._private_known_crontabs where identifier = 'forget'"
  await until(async () => (await pool.query(known)).rows.length === 1)
})

test('schedules a task for each minute likewise', async () => {
  const pool = openPool()
  const jobs = await startJobs({ pool, tasks: { look: async () => {} }, minutely: ['look'], log, concurrency: 1 })
  opened.push({ end: () => jobs.stop() })
  const known = async () =>
    (await pool.query("select 1 from graphile_worker._private_known_crontabs where identifier = 'look'")).rowCount
  await until(async () => (await known()) === 1)
})

test('runs jobs of a smaller priority first, also when they were queued later', async () => {
  const pool = openPool()
  const done: unknown[] = []
  for (const priority of [10, 5, undefined, 10]) {
    await add(pool, { task: 'rank', payload: priority ?? 0, ...(priority !== undefined && { priority }) })
  }
  const jobs = await startJobs({ pool, tasks: { rank: async (rank) => void done.push(rank) }, log, concurrency: 1 })
  opened.push({ end: () => jobs.stop() })
  await until(() => done.length === 4)
  assert.deepEqual(done, [0, 5, 10, 10])
})

test('a statement queues a job for each row that it writes, and none where it writes none', async () => {
  const pool = openPool()
  await migrateJobs(pool, log)
  const queueStatement = defineStatement({
    name: 'queue-made',
    parameters: { above: 'integer' },
    columns: { queued: 'integer' },
    text: (p) =>
      sql`select ${jobsOfRows({
        task: 'made',
        payload: sql`json_build_object('name', made.name)`,
        priority: sql`made.rank`,
        rows: sql`(select * from (values ('a', 1), ('b', 2)) as row (name, rank) where rank > ${p.above}) as made`,
        maxAttempts: 3,
      })}::integer as queued`,
  })
  assert.deepEqual(await queueStatement.executeOn(pool, { above: 2 }), [{ queued: 0 }])
  assert.deepEqual(await queueStatement.executeOn(pool, { above: 0 }), [{ queued: 2 }])
  const made: unknown[] = []
  const queued = (await waiting(pool)).filter((job) => job.task_identifier === 'made')
  assert.deepEqual(
    queued.map(({ priority, max_attempts }) => [priority, max_attempts]),
    [
      [1, 3],
      [2, 3],
    ],
  )
  await start(pool, { made: async (payload) => void made.push(payload) })
  await until(() => made.length === 2)
  assert.deepEqual(new Set(made), new Set([{ name: 'a' }, { name: 'b' }]))
})

test('lets a running job finish on stop', async () => {
  const pool = openPool()
  const begun = Promise.withResolvers<void>()
  let done = false
  const jobs = await start(pool, {
    work: async () => {
      begun.resolve()
      await sleep(300)
      done = true
    },
  })
  await add(pool, { task: 'work', payload: null })
  await begun.promise
  await jobs.stop()
  assert.equal(done, true)
  assert.deepEqual(await waiting(pool), [])
})

test('returns a job that does not finish on stop, and accepts no new one', async () => {
  const pool = openPool()
  const begun = Promise.withResolvers<void>()
  const never = Promise.withResolvers<void>()
  const jobs = await start(pool, {
    endless: async () => {
      begun.resolve()
      await never.promise
    },
  })
  await add(pool, { task: 'endless', payload: null })
  await begun.promise
  const stopped = jobs.stop()
  // A poll for jobs may have been under way.
  await sleep(500)
  await add(pool, { task: 'endless', payload: null })
  await stopped
  const jobsLeft = await waiting(pool)
  assert.deepEqual(
    jobsLeft.map((job) => [job.locked_at, job.attempts]),
    [
      [null, 1],
      [null, 0],
    ],
  )
  never.resolve()
})

test('two instances share the jobs: each runs once', async () => {
  const pools = [openPool(), openPool()]
  const ran: number[] = []
  for (const pool of pools) await start(pool, { count: async (payload) => void ran.push(Number(payload)) })
  const numbers = Array.from({ length: 100 }, (_, index) => index)
  for (const number of numbers) await add(openPool(), { task: 'count', payload: number })
  await until(() => ran.length >= 100)
  assert.deepEqual(
    ran.toSorted((one, other) => one - other),
    numbers,
  )
})

/** Another Parley that only runs jobs; it prints to its standard output that it has begun one that never ends. */
function startOtherProcess(): ChildProcessByStdio<null, Readable, null> {
  const program = `
    import { createPool } from ${JSON.stringify(import.meta.resolve('../database/database.ts'))}
    import { startJobs } from ${JSON.stringify(import.meta.resolve('./jobs.ts'))}
    import { createLog } from ${JSON.stringify(import.meta.resolve('../log.ts'))}
    const log = createLog({ level: 'silent' })
    const connection = { connectionString: process.env.URL }
    const pool = createPool({ connection, maxConnections: 5, statementTimeoutMs: 4000, log })
    const tasks = { endless: () => new Promise(() => process.stdout.write('begun')) }
    await startJobs({ pool, tasks, log, concurrency: 1 })`
  return spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, URL: testDatabase.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

test('runs the job of a killed process in another one, and not that of a living one', async () => {
  const pool = openPool()
  const others = [startOtherProcess(), startOtherProcess()]
  const [dying, living] = others
  assert.ok(dying !== undefined && living !== undefined)
  try {
    await Promise.all(
      others.map((other) => add(pool, { task: 'endless', payload: null }).then(() => once(other.stdout, 'data'))),
    )
    const busy = await waiting(pool)
    assert.equal(new Set(busy.map((job) => job.locked_by)).size, 2)

    dying.kill('SIGKILL')
    await once(dying, 'exit')
    await until(async () => (await pool.query(locksOfWorkerPools)).rows.length === 1)
    await pool.query("update graphile_worker._private_jobs set locked_at = now() - interval '1 minute'")
    let rescued = 0
    await start(pool, { endless: async () => void rescued++ })
    await until(async () => (await waiting(pool)).length === 1)
    assert.equal(rescued, 1)
  } finally {
    for (const other of others) other.kill('SIGKILL')
  }
})

const locksOfWorkerPools = `select from pg_locks join pg_database on pg_database.oid = pg_locks.database
  where datname = current_database() and locktype = 'advisory' and mode = 'ShareLock'`

test('continues jobs after an outage of the database, also while a job runs', async () => {
  const postgres = await startRestartablePostgres()
  try {
    const pool = openPool(postgres.connection)
    const ran: unknown[] = []
    const begun = Promise.withResolvers<void>()
    const gone = Promise.withResolvers<void>()
    await start(pool, {
      note: async (payload) => void ran.push(payload),
      interrupted: async () => {
        begun.resolve()
        await gone.promise
        ran.push('interrupted')
      },
    })
    await add(pool, { task: 'interrupted', payload: null })
    await begun.promise
    await postgres.kill()
    // Connections outlive the server by a moment, in which the job could still be marked as done.
    await until(() =>
      pool
        .query('select 1')
        .then(() => false)
        .catch(() => true),
    )
    gone.resolve()
    await until(() => ran.includes('interrupted'))
    await assert.rejects(add(pool, { task: 'note', payload: 'lost' }))

    await postgres.startAgain()
    await add(pool, { task: 'note', payload: 'after' })
    await until(() => ran.includes('after'))
    await until(async () => (await waiting(pool)).length === 0)
    assert.equal(ran.includes('lost'), false)
  } finally {
    for (const one of opened.splice(0).reverse()) await one.end()
    await postgres.stop()
  }
})

test('stops without hanging while the database is unavailable', async () => {
  const postgres = await startRestartablePostgres()
  try {
    const jobs = await start(openPool(postgres.connection), { note: async () => {} })
    await postgres.kill()
    await jobs.stop()
  } finally {
    for (const one of opened.splice(0).reverse()) await one.end()
    await postgres.stop()
  }
})
