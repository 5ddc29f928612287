import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { setUpNotes } from '../../../test/postgres/notes-fixture.ts'
import { rejection } from '../../../test/rejection.ts'
import { inTransaction, retryOnConflict } from './database.ts'
import { defineStatement } from './define-statement.ts'

const { openPool, openDatabase } = await setUpNotes()

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
