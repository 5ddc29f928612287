import type { Insertable, Selectable } from 'kysely'
import type { Database, Tx } from '../../platform/database/database.ts'
import { isUniqueViolation } from '../../platform/database/database-failure.ts'
import type { Tables } from '../../platform/database/tables.ts'

export type AccountRow = Selectable<Tables['account']>
type NewAccountRow = Insertable<Tables['account']>

export const findAccount = (database: Database, accountId: string): Promise<AccountRow | undefined> =>
  database.selectFrom('account').selectAll().where('id', '=', accountId).executeTakeFirst()

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
 * Insert an account; undefined when the room code is taken. Throws PostgreSQL's 23505 when the address is taken
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
