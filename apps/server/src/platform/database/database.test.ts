import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, afterEach, before, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { startRestartablePostgres } from '../../../test/postgres/restartable-postgres.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/postgres/test-database.ts'
import { createLog } from '../log.ts'
import { clusterOwner } from '../postgres/cluster.ts'
import { createDatabase, createPool, type Executor, inTransaction, retryOnConflict } from './database.ts'
import type { DatabaseConnection } from './database-address.ts'
import { NoPrimaryError, readDatabaseFailure } from './database-failure.ts'
import { defineStatement } from './define-statement.ts'

type Tables = { note: { id: number; writtenBy: string; size: number | string; data: object; at: Date | number } }

const log = createLog({ level: 'silent' })
let testDatabase: TestDatabase
before(async () => {
  testDatabase = await createTestDatabase()
  const pool = openPool()
  await pool.query('create table note (id int primary key, written_by text, size int8, data jsonb, at timestamptz)')
})
after(() => testDatabase.drop())

const pools: Pool[] = []
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.end()))
})

function openPool(
  options: { connection?: DatabaseConnection; maxConnections?: number; statementTimeoutMs?: number } = {},
): Pool {
  const { connection = testDatabase.connection, maxConnections = 4, statementTimeoutMs = 5_000 } = options
  const pool = createPool({ connection, maxConnections, statementTimeoutMs, log })
  pools.push(pool)
  return pool
}

const isUnavailable = (error: unknown) => readDatabaseFailure(error)?.cause === 'away'

const openDatabase = (pool = openPool()) => createDatabase<Tables>(pool)

async function rejection(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('It was expected to fail')
}

test('converts names between snake_case and camelCase, and leaves JSON unchanged', async () => {
  const db = openDatabase()
  const data = { in_snake: { and_deeper: 1 }, inCamel: [{ of_a_list: 2 }] }
  await db
    .insertInto('note')
    .values({ id: 1, writtenBy: 'alice', size: 3, data, at: new Date(0) })
    .execute()
  const note = await db.selectFrom('note').selectAll().where('id', '=', 1).executeTakeFirstOrThrow()
  assert.deepEqual(note, { id: 1, writtenBy: 'alice', size: 3, data, at: new Date(0) })
})

test('returns values in types that hold them exactly', async () => {
  const { rows } = await openPool().query(`select
    9007199254740991::int8 as safe, 9007199254740992::int8 as unsafe, -9007199254740991::int8 as negative,
    1.10::numeric as numeric, 'infinity'::timestamptz as forever, '2030-01-07 09:00:00.123+05:30'::timestamptz as instant,
    '2030-01-07'::date as day, count(*) as count from (values (1), (2)) as pair`)
  assert.deepEqual(rows[0], {
    safe: Number.MAX_SAFE_INTEGER,
    unsafe: '9007199254740992',
    negative: Number.MIN_SAFE_INTEGER,
    numeric: '1.10',
    forever: Number.POSITIVE_INFINITY,
    instant: new Date('2030-01-07T03:30:00.123Z'),
    day: '2030-01-07',
    count: 2,
  })
})

test('sets limits and the name on every connection', async () => {
  const { rows } = await openPool({
    statementTimeoutMs: 1_234,
  }).query(`select current_setting('plan_cache_mode') as plans, current_setting('random_page_cost') as page,
    current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
    current_setting('idle_in_transaction_session_timeout') as idle, current_setting('application_name') as name`)
  assert.deepEqual(rows[0], {
    plans: 'force_generic_plan',
    page: '1.1',
    statement: '1234ms',
    lock: '3s',
    idle: '10s',
    name: 'parley',
  })
})

test('prepares a statement under a name, once for a connection', async () => {
  const pool = openPool({ maxConnections: 1 })
  const db = openDatabase(pool)
  for (const id of [1, 2, 3]) await db.selectFrom('note').select('writtenBy').where('id', '=', id).execute()
  const findNote = defineStatement({
    name: 'find-note',
    parameters: { id: 'integer' },
    columns: { id: 'integer' },
    text: (p) => sql`select id from note where id = ${p.id}`,
  })
  for (const id of [1, 2, 3]) await findNote.execute(db, { id })
  const { rows } = await pool.query<{ statement: string; runs: number }>(
    'select statement, generic_plans + custom_plans as runs from pg_prepared_statements order by prepare_time',
  )
  assert.deepEqual(rows, [
    { statement: 'select "written_by" from "note" where "id" = $1', runs: 3 },
    { statement: '/* find-note */ select id from note where id = $1::integer', runs: 3 },
  ])
})

test('runs a defined statement in the given transaction', async () => {
  const db = openDatabase()
  const countNotes = defineStatement({
    name: 'count-notes',
    parameters: { id: 'integer' },
    columns: { count: 'bigint' },
    text: (p) => sql`select count(*) from note where id = ${p.id}`,
  })
  await db
    .transaction()
    .execute(async (tx) => {
      await tx
        .insertInto('note')
        .values({ id: 2, writtenBy: 'bob', size: 0, data: {}, at: new Date(0) })
        .execute()
      assert.deepEqual(await countNotes.execute(tx, { id: 2 }), [{ count: 1 }])
      assert.deepEqual(await countNotes.execute(db, { id: 2 }), [{ count: 0 }])
      throw new Error('rolled back')
    })
    .catch((error) => assert.equal(error.message, 'rolled back'))
  assert.deepEqual(await countNotes.execute(db, { id: 2 }), [{ count: 0 }])
})

test('renews plans for old columns after another instance has migrated', async () => {
  const pool = openPool()
  await pool.query('create table plan (id int)')
  await pool.query('insert into plan values (1)')
  const db = createDatabase<{ plan: { id: number } }>(openPool({ maxConnections: 2 }))
  const readAll = () => db.selectFrom('plan').selectAll().where('id', '=', 1).execute()
  await Promise.all([readAll(), readAll()])

  await pool.query("alter table plan add column topic text default 'new'")
  assert.deepEqual(await Promise.all([readAll(), readAll()]), [[{ id: 1, topic: 'new' }], [{ id: 1, topic: 'new' }]])

  await pool.query('alter table plan add column more int')
  const inside = await inTransaction(db, (tx) => tx.selectFrom('plan').selectAll().where('id', '=', 1).execute())
  assert.deepEqual(inside, [{ id: 1, topic: 'new', more: null }])
})

const raiseError = (state: string) =>
  defineStatement({
    name: 'raise',
    parameters: {},
    text: () => sql.raw(`do $$ begin raise exception using errcode = '${state}'; end $$`),
  })

test('retries a transaction that lost against another, a few times', async () => {
  const db = openDatabase()
  for (const state of ['40001', '40P01']) {
    let runs = 0
    const lose = raiseError(state)
    const won = await inTransaction(db, async (tx) => {
      runs++
      if (runs < 4) await lose.execute(tx, {})
      return 'won'
    })
    assert.deepEqual([won, runs], ['won', 4])

    runs = 0
    const error = await rejection(
      inTransaction(db, async (tx) => {
        runs++
        await lose.execute(tx, {})
      }),
    )
    assert.deepEqual([(error as { code?: string }).code, runs], [state, 4])
  }
})

test('retries a single statement that lost, too', async () => {
  const db = openDatabase()
  let runs = 0
  const lose = raiseError('40P01')
  const won = await retryOnConflict(async () => {
    if (++runs < 4) await lose.execute(db, {})
    return 'won'
  })
  assert.deepEqual([won, runs], ['won', 4])
})

test('two transactions in a deadlock both succeed', async () => {
  const db = openDatabase()
  for (const id of [11, 12]) {
    await db
      .insertInto('note')
      .values({ id, writtenBy: 'carol', size: 0, data: {}, at: new Date(0) })
      .execute()
  }
  const touch = defineStatement({
    name: 'touch',
    parameters: { id: 'integer' },
    text: (p) => sql`update note set size = size + 1 where id = ${p.id}`,
  })
  let inside = 0
  const bothInside = Promise.withResolvers<void>()
  const touchBoth = (first: number, second: number) =>
    inTransaction(db, async (tx) => {
      await touch.execute(tx, { id: first })
      if (++inside === 2) bothInside.resolve()
      await bothInside.promise
      await touch.execute(tx, { id: second })
    })
  await Promise.all([touchBoth(11, 12), touchBoth(12, 11)])
  const { rows } = await openPool().query('select size from note where id in (11, 12)')
  assert.deepEqual(rows, [{ size: 2 }, { size: 2 }])
})

test('does not retry a transaction that fails for another reason', async () => {
  let runs = 0
  const error = await rejection(
    inTransaction(openDatabase(), async () => {
      runs++
      throw new Error('no')
    }),
  )
  assert.deepEqual([(error as Error).message, runs], ['no', 1])
})

test('runs a nested transaction as part of the outer one', async () => {
  const db = openDatabase()
  await rejection(
    inTransaction(db, async (tx) => {
      await inTransaction(tx, (inner) =>
        inner
          .insertInto('note')
          .values({ id: 3, writtenBy: 'x', size: 0, data: {}, at: new Date(0) })
          .execute(),
      )
      throw new Error('rolled back')
    }),
  )
  assert.deepEqual(await db.selectFrom('note').select('id').where('id', '=', 3).execute(), [])
})

test('reports a statement or a lock that takes too long as a timeout', async () => {
  const slow = await rejection(openPool({ statementTimeoutMs: 50 }).query('select pg_sleep(60)'))
  const pool = openPool()
  const holder = await pool.connect()
  await holder.query('begin')
  await holder.query('lock table note')
  const waiter = await pool.connect()
  await waiter.query("set lock_timeout = '50ms'")
  const blocked = await rejection(waiter.query('select from note'))
  await holder.query('rollback')
  holder.release()
  waiter.release(true)
  for (const error of [slow, blocked]) assert.equal(readDatabaseFailure(error)?.cause, 'timeout')
})

test('does not report a programming error as a failure of the database', async () => {
  const syntax = await rejection(openPool().query('selekt 1'))
  const unique = await rejection(openPool().query('insert into note (id) values (4), (4)'))
  for (const error of [syntax, unique, new Error('x'), undefined, 'ECONNREFUSED']) {
    assert.equal(readDatabaseFailure(error), undefined)
  }
})

test('no connection left in the pool: unavailable', async () => {
  const pool = openPool({ maxConnections: 1 })
  const holder = await pool.connect()
  assert.ok(isUnavailable(await rejection(pool.query('select 1'))))
  holder.release()
  await pool.query('select 1')
})

test('no connection left in the server: unavailable', async () => {
  const own = await createTestDatabase()
  try {
    const pool = openPool({ connection: own.connection })
    await pool.query(`alter database ${own.connection.database} connection limit 1`)
    const holder = await pool.connect()
    const refused = await rejection(openPool({ connection: own.connection }).query('select 1'))
    assert.equal(readDatabaseFailure(refused)?.cause, 'out-of-resources')
    holder.release()
  } finally {
    await Promise.all(pools.splice(0).map((pool) => pool.end()))
    await own.drop()
  }
})

test('a connection that an administrator ends: unavailable, and the next one works', async () => {
  const pool = openPool({ maxConnections: 1 })
  assert.ok(isUnavailable(await rejection(pool.query('select pg_terminate_backend(pg_backend_pid())'))))
  assert.equal((await pool.query('select 1 as one')).rows[0]?.one, 1)
})

test('no server at the address: unavailable', async () => {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  listener.close()
  await once(listener, 'close')
  for (const host of ['127.0.0.1', 'localhost', '/nowhere']) {
    assert.ok(isUnavailable(await rejection(openPool({ connection: { host, port } }).query('select 1'))), host)
  }
})

/** A connection to the test database that can be blocked like a broken network: packets are dropped, not refused. */
async function openTunnel(t: TestContext) {
  const { host, port } = testDatabase.connection
  const sockets = new Set<Socket>()
  let blocked = false
  const tunnel = createServer((near) => {
    const far = connect(`${host}/.s.PGSQL.${port}`)
    near.on('data', (chunk) => blocked || far.write(chunk))
    far.on('data', (chunk) => blocked || near.write(chunk))
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => other.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(tunnel, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    tunnel.close()
  })
  const { port: tunnelPort } = tunnel.address() as AddressInfo
  return {
    connection: { ...testDatabase.connection, host: '127.0.0.1', port: tunnelPort },
    block: () => {
      blocked = true
    },
    unblock: () => {
      blocked = false
    },
    cut() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

test('does not reuse a connection to a server that has become read-only', async () => {
  const pool = openPool({ maxConnections: 1 })
  const db = openDatabase(pool)
  const touch = defineStatement({
    name: 'touch-notes',
    parameters: { id: 'integer' },
    text: (p) => sql`update note set size = size where id = ${p.id}`,
  })
  const readBackend = defineStatement({
    name: 'backend',
    parameters: { asked: 'boolean' },
    columns: { pid: 'integer' },
    text: (p) => sql`select pg_backend_pid() as pid where ${p.asked}`,
  })
  const [before] = await readBackend.execute(db, { asked: true })
  const demoted = db.transaction().execute(async (tx) => {
    await sql`set transaction read only`.execute(tx)
    await touch.execute(tx, { id: 1 })
  })
  assert.equal(readDatabaseFailure(await rejection(demoted))?.cause, 'read-only')
  const [after] = await readBackend.execute(db, { asked: true })
  assert.notEqual(after?.pid, before?.pid)
})

test('finds the writable one of several hosts, and the next one when it is lost', async (t) => {
  const { host, port, user, database } = testDatabase.connection
  const [away, , second] = [await openTunnel(t), undefined, await openTunnel(t)]
  const addressOf = (at: number) => `postgres://${user}@127.0.0.1:${at}/${database}`
  const noOne = createServer().listen(0, '127.0.0.1')
  await once(noOne, 'listening')
  const { port: closed } = noOne.address() as AddressInfo
  noOne.close()
  assert.ok(host && port)
  const hosts = [addressOf(closed), addressOf(away.connection.port), addressOf(second.connection.port)]
  const connection = { connectionString: String(hosts[0]), hosts, requiresPrimary: true }
  away.block()
  const pool = openPool({ connection, maxConnections: 2 })
  assert.equal((await pool.query('select 1 as one')).rows[0]?.one, 1, 'one is closed, one silent, one answers')

  second.block()
  second.cut()
  away.unblock()
  await rejection(pool.query('select 1'))
  assert.equal((await pool.query('select 1 as one')).rows[0]?.one, 1, 'the other one answers now')

  await pool.query(`alter database ${database} set default_transaction_read_only = on`)
  const standby = openPool({ connection, maxConnections: 1 })
  assert.ok((await rejection(standby.query('select 1'))) instanceof NoPrimaryError)
  const owner = openPool()
  await owner.query('set default_transaction_read_only = off')
  await owner.query(`alter database ${database} reset default_transaction_read_only`)
})

test('a server that stops replying: unavailable, and its connections are not used again', async (t) => {
  const tunnel = await openTunnel(t)
  const db = openDatabase(openPool({ connection: tunnel.connection, maxConnections: 2, statementTimeoutMs: 100 }))
  const statement = defineStatement({
    name: 'find',
    parameters: { id: 'integer' },
    columns: { id: 'integer' },
    text: (p) => sql`select id from note where id = ${p.id}`,
  })
  const find = (executor: Executor) => statement.execute(executor, { id: 1 })
  await Promise.all([find(db), find(db)])

  const cutInside = db.transaction().execute(async (tx) => {
    await find(tx)
    tunnel.block()
    await find(tx)
  })
  assert.ok(isUnavailable(await rejection(cutInside)), 'inside a transaction')
  assert.ok(isUnavailable(await rejection(find(db))), 'an open connection')
  assert.ok(isUnavailable(await rejection(find(db))), 'a new connection')

  tunnel.unblock()
  assert.deepEqual(await Promise.all([find(db), find(db)]), [[{ id: 1 }], [{ id: 1 }]])
})

test('recovers after the server is killed and restarted, also in the middle of a transaction', async () => {
  const postgres = await startRestartablePostgres()
  try {
    const pool = openPool({ connection: postgres.connection, maxConnections: 5 })
    const db = openDatabase(pool)
    const statement = defineStatement({
      name: 'one',
      parameters: {},
      columns: { one: 'integer' },
      text: () => sql`select 1 as one`,
    })
    const one = (executor: Executor) => statement.execute(executor, {})
    await Promise.all([one(db), one(db), one(db)])

    const insideBefore = Promise.withResolvers<void>()
    const gone = Promise.withResolvers<void>()
    const transaction = rejection(
      db.transaction().execute(async (tx) => {
        await one(tx)
        insideBefore.resolve()
        await gone.promise
        await one(tx)
      }),
    )
    const running = rejection(pool.query('select pg_sleep(4)'))
    await insideBefore.promise
    await postgres.kill()
    const cut = await running
    gone.resolve()
    for (const error of [await transaction, cut, await rejection(one(db))])
      assert.ok(isUnavailable(error), String(error))

    await postgres.startAgain()
    assert.deepEqual(await one(db), [{ one: 1 }])

    const owner = openPool({ connection: { ...postgres.connection, user: clusterOwner }, maxConnections: 1 })
    const { user, database } = postgres.connection
    await owner.query("create role rotated login password 'x'")
    const rotated = openPool({ connection: { ...postgres.connection, user: 'rotated' } })
    const held = await rotated.connect()
    for (const change of ['alter role rotated nologin', `alter database ${database} allow_connections false`]) {
      await openPool({ connection: { ...postgres.connection, user: clusterOwner, database: 'postgres' } }).query(change)
      const refused = readDatabaseFailure(await rejection(rotated.query('select 1')))
      assert.deepEqual([refused?.cause, refused?.dropsConnection], ['access-refused', true], `${change} of ${user}`)
      if (change.startsWith('alter role')) await owner.query('alter role rotated login')
    }
    held.release()
    await owner.query(`alter database ${database} allow_connections true`)
    assert.deepEqual(await Promise.all([1, 2, 3, 4, 5].map(() => one(db))), Array(5).fill([{ one: 1 }]))
  } finally {
    await Promise.all(pools.splice(0).map((pool) => pool.end()))
    await postgres.stop()
  }
})
