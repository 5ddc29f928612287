import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { setUpNotes } from '../../../test/postgres/notes-fixture.ts'
import { createDatabase, inTransaction, readTimestamp } from './database.ts'
import { defineStatement } from './define-statement.ts'

const { openPool, openDatabase } = await setUpNotes()

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

test('reads timestamps as PostgreSQL writes them, to the millisecond', () => {
  const cases = {
    '2030-01-07 03:30:00+00': '2030-01-07T03:30:00.000Z',
    '2030-12-31 23:59:59.5+00': '2030-12-31T23:59:59.500Z',
    '2030-02-28 00:00:00.07+00': '2030-02-28T00:00:00.070Z',
    '2030-02-28 00:00:00.123999+00': '2030-02-28T00:00:00.123Z',
    '9999-12-31 23:59:59.999+00': '9999-12-31T23:59:59.999Z',
    '0026-01-07 03:30:00+00': '0026-01-07T03:30:00.000Z',
    '2030-01-07 09:00:00.123+05:30': '2030-01-07T03:30:00.123Z',
    '2030-01-07 09:00:00-08': '2030-01-07T17:00:00.000Z',
    '10000-01-01 00:00:00+00': '+010000-01-01T00:00:00.000Z',
    '0044-03-15 12:00:00+00 BC': '-000043-03-15T12:00:00.000Z',
  }
  for (const [text, instant] of Object.entries(cases)) {
    const read = readTimestamp(text)
    assert.equal(read instanceof Date && read.toISOString(), instant, text)
  }
  assert.equal(readTimestamp('infinity'), Number.POSITIVE_INFINITY)
  assert.equal(readTimestamp('-infinity'), Number.NEGATIVE_INFINITY)
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
