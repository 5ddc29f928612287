import { type Insertable, type Selectable, sql } from 'kysely'
import { createBatcher } from '../../platform/database/batch.ts'
import { type Database, inTransaction, type Tx } from '../../platform/database/database.ts'
import { isUniqueViolation } from '../../platform/database/database-failure.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { type Tables, tables } from '../../platform/database/tables.ts'

export type AccountRow = Selectable<Tables['account']>
type NewAccountRow = Insertable<Tables['account']>

export const findAccount = (database: Database, accountId: string): Promise<AccountRow | undefined> =>
  database.selectFrom('account').selectAll().where('id', '=', accountId).executeTakeFirst()

const findSeveralStatement = defineStatement({
  name: 'find-accounts',
  parameters: { ids: 'uuid[]' },
  columns: tables.account,
  text: (p) => sql`select * from account where id = any(${p.ids})`,
})

/** `findAccount` for requests that arrive together, in one statement on the pool `database`. */
export const createFindAccountShared = (database: Database): ((accountId: string) => Promise<AccountRow | undefined>) =>
  createBatcher(async (ids: readonly string[]) => {
    const rows = await findSeveralStatement.execute(database, { ids })
    const found = new Map(rows.map((account) => [account.id, account]))
    return ids.map((id) => found.get(id))
  })

export const findAccountByAddress = (database: Database, addressKey: string): Promise<AccountRow | undefined> =>
  database.selectFrom('account').selectAll().where('emailKey', '=', addressKey).executeTakeFirst()

/** Lock an account against changes until commit; others may share the lock. */
export const lockAccountForShare = (tx: Tx, accountId: string): Promise<AccountRow | undefined> =>
  tx.selectFrom('account').selectAll().where('id', '=', accountId).forShare().executeTakeFirst()

/** Lock an account for a change until commit. */
export const lockAccount = (tx: Tx, accountId: string): Promise<AccountRow | undefined> =>
  tx.selectFrom('account').selectAll().where('id', '=', accountId).forNoKeyUpdate().executeTakeFirst()

export async function hasAccounts(database: Database): Promise<boolean> {
  return (await database.selectFrom('account').select('id').limit(1).executeTakeFirst()) !== undefined
}

/**
 * Insert an account; undefined when the room code is taken. Throw PostgreSQL's 23505 when the address is taken
 * (`isAddressTaken`).
 */
export const insertAccount = (tx: Tx, account: NewAccountRow): Promise<AccountRow | undefined> =>
  tx
    .insertInto('account')
    .values(account)
    .onConflict((conflict) => conflict.column('roomCode').doNothing())
    .returningAll()
    .executeTakeFirst()

/** Whether an insert failed because another account has the address. */
export const isAddressTaken = (error: unknown): boolean => isUniqueViolation(error, 'account_email_key_key')

/** Set a password and delete the account's links to reset it. */
export async function setPassword(tx: Tx, accountId: string, passwordHash: string, now: Date): Promise<void> {
  await tx
    .updateTable('account')
    .set({ passwordHash, passwordChangedAt: now, modifiedAt: now })
    .where('id', '=', accountId)
    .execute()
  await tx.deleteFrom('mailedLink').where('accountId', '=', accountId).where('purpose', '=', 'reset-password').execute()
}

/** Whether an account still has the password that it had when it was read before. */
export const hasSamePassword = (current: AccountRow, before: AccountRow): boolean =>
  current.passwordChangedAt?.getTime() === before.passwordChangedAt?.getTime()

/** Switch the daily digest of answers on or off, as the profile does. */
export async function setAnswerDigest(database: Database, accountId: string, on: boolean, now: Date): Promise<void> {
  await inTransaction(database, async (tx) => {
    const account = await lockAccount(tx, accountId)
    if (account === undefined) return
    const settings = { ...account.settings, answerDigest: on }
    await tx
      .updateTable('account')
      .set({ settings: JSON.stringify(settings), modifiedAt: now })
      .where('id', '=', accountId)
      .execute()
  })
}

/** Whether another account of the tenant is an administrator who can sign in. */
export async function hasAnotherAdministrator(tx: Tx, account: AccountRow): Promise<boolean> {
  const another = await tx
    .selectFrom('account')
    .select('id')
    .where('tenantId', '=', account.tenantId)
    .where('administrator', '=', true)
    .where('disabledAt', 'is', null)
    .where('id', '!=', account.id)
    .limit(1)
    .executeTakeFirst()
  return another !== undefined
}
