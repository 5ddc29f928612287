import type { Database } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { AccountRow } from '../account/account-store.ts'
import type { AccountsService } from '../accounts-service.ts'
import { requireOwnPassword } from './require-own-password.ts'

/** Long enough to sign in and open the settings; shorter than a lunch break beside an open laptop. */
const recentSignInMs = 10 * 60 * 1000

type Presence = {
  account: AccountRow
  sessionId: string
  currentPassword: string | undefined
  address: string
  now: Date
}

/**
 * Require a proof of presence before a change that gives lasting access: the password, or a session that has just
 * begun.
 * @throws recent_sign_in_required, wrong_credentials, too_many_requests, unavailable
 */
export async function requireRecentSignIn(
  database: Database,
  service: AccountsService,
  { account, sessionId, currentPassword, address, now }: Presence,
): Promise<void> {
  if (currentPassword !== undefined) {
    return requireOwnPassword(service, { account, password: currentPassword, address, now })
  }
  const recent = await database
    .selectFrom('session')
    .select('id')
    .where('id', '=', sessionId)
    .where('createdAt', '>', new Date(now.getTime() - recentSignInMs))
    .executeTakeFirst()
  if (recent === undefined) throw problem('recent_sign_in_required')
}
