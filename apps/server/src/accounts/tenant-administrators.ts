import type { Tx } from '../platform/database/database.ts'
import type { AccountRow } from './account/account-store.ts'

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
