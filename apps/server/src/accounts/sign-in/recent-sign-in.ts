import { problem } from '../../platform/http/problem.ts'
import type { AccountRow } from '../account/account-store.ts'
import type { AccountsService } from '../accounts-service.ts'
import { requireOwnPassword } from './require-own-password.ts'

/** Long enough to sign in and walk to the settings; a laptop left open at lunch is past it. */
export const recentSignInMs = 10 * 60 * 1000

export type Presence = {
  account: AccountRow
  sessionId: string
  currentPassword: string | undefined
  address: string
  now: Date
}

/**
 * Asks for proof that the person themselves sits there, before something is made that opens the account for good: the
 * password, or a session that has only just begun.
 * @throws recent_sign_in_required, wrong_credentials, too_many_requests, unavailable
 */
export async function requireRecentSignIn(
  service: AccountsService,
  { account, sessionId, currentPassword, address, now }: Presence,
): Promise<void> {
  if (currentPassword !== undefined) {
    return requireOwnPassword(service, { account, password: currentPassword, address, now })
  }
  const begun = await service.database
    .selectFrom('session')
    .select('id')
    .where('id', '=', sessionId)
    .where('createdAt', '>', new Date(now.getTime() - recentSignInMs))
    .executeTakeFirst()
  if (begun === undefined) throw problem('recent_sign_in_required')
}
