import { addressKey } from '@parley/rules/text/email-address'
import { type AccountRow, findAccount, findAccountByAddress } from '../../accounts/account/account-store.ts'
import type { Database } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { StartProblem } from '../../platform/start-problem.ts'

/** Find an account by its email address or id, as `account list` prints them. @throws StartProblem */
export async function findNamedAccount(database: Database, named: string): Promise<AccountRow> {
  const account = isUuid(named)
    ? await findAccount(database, named)
    : await findAccountByAddress(database, addressKey(named))
  if (account === undefined) throw new StartProblem(`There is no account of ${named}.`)
  if (account.deletedAt !== null) {
    throw new StartProblem(`The account ${account.id} was deleted on ${account.deletedAt.toISOString()}.`)
  }
  return account
}
