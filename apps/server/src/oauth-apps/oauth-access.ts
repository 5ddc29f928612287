import type { Caller } from '../access/caller.ts'
import type { Database } from '../platform/database/database.ts'
import { problem } from '../platform/http/problem.ts'

/**
 * Require that OAuth is enabled for the caller's account: it is in Beta, and the developers' portal is closed without
 * it.
 * @throws oauth_not_enabled
 */
export async function requireOauth(database: Database, caller: Caller): Promise<void> {
  const account = await database
    .selectFrom('account')
    .select('oauthEnabled')
    .where('id', '=', caller.accountId)
    .executeTakeFirst()
  if (account?.oauthEnabled !== true) throw problem('oauth_not_enabled')
}
