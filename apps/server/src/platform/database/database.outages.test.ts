import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { setUpNotes } from '../../../test/postgres/notes-fixture.ts'
import { startRestartablePostgres } from '../../../test/postgres/restartable-postgres.ts'
import { createTestDatabase } from '../../../test/postgres/test-database.ts'
import { rejection } from '../../../test/rejection.ts'
import { clusterOwner } from '../postgres/cluster.ts'
import type { Executor } from './database.ts'
import { NoPrimaryError, readDatabaseFailure } from './database-failure.ts'
import { defineStatement } from './define-statement.ts'

const { connection: address, openPool, openDatabase, endPools } = await setUpNotes()

const isUnavailable = (error: unknown) => readDatabaseFailure(error)?.cause === 'away'

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

test('no connection left in the pool: busy, which is not away', async () => {
  const pool = openPool({ maxConnections: 1 })
  const holder = await pool.connect()
  assert.equal(readDatabaseFailure(await rejection(pool.query('select 1')))?.cause, 'busy')
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
    await endPools()
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
  const { host, port } = address
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
    connection: { ...address, host: '127.0.0.1', port: tunnelPort },
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
  const { host, port, user, database } = address
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
  await openPool().query('insert into note (id) values (1)')
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
    await endPools()
    await postgres.stop()
  }
})
