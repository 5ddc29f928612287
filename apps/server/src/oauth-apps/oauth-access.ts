import type { Caller } from '../access/caller.ts'
import { problem } from '../platform/http/problem.ts'
import type { Database } from '../tables/tables.ts'

/**
 * OAuth is in Beta and per account (service.md 1, oauth.md 4): without it nothing of the portal answers.
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
