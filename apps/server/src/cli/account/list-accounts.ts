import type { AccountRow } from '../../accounts/account/account-store.ts'
import { type Dependencies, withDatabase } from '../operator.ts'

const pageSize = 1_000
const first = '00000000-0000-0000-0000-000000000000'

/** Print a line for each account, oldest first: id, address, name and rights. @throws StartProblem */
export const listAccounts = (dependencies: Dependencies): Promise<void> =>
  withDatabase(dependencies, async ({ database, say }) => {
    let after: string | undefined = first
    while (after !== undefined) {
      const page: AccountRow[] = await database
        .selectFrom('account')
        .selectAll()
        .where('id', '>', after)
        .orderBy('id')
        .limit(pageSize)
        .execute()
      for (const account of page) say(accountLine(account))
      after = page.length < pageSize ? undefined : page.at(-1)?.id
    }
  })

/** Separated by tabs, for `cut` and `awk`: addresses and names contain none. */
const accountLine = (account: AccountRow) =>
  [account.id, account.email, `${account.name} ${account.lname}`.trim(), rightsOf(account).join(',')].join('\t')

export function rightsOf({ administrator, reviewer, oauthEnabled, disabledAt, deletedAt, erasedAt }: AccountRow) {
  if (deletedAt !== null) return [erasedAt === null ? 'deleted' : 'erased']
  return [
    ...(administrator ? ['administrator'] : []),
    ...(reviewer ? ['reviewer'] : []),
    ...(oauthEnabled ? ['oauth'] : []),
    ...(disabledAt === null ? [] : ['disabled']),
  ]
}
