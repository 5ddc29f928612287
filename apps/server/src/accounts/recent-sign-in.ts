import { problem } from '../platform/problem.ts'
import type { AccountRow } from './account-store.ts'
import type { AccountsService } from './accounts-service.ts'
import { tryPassword } from './try-password.ts'

/** Long enough to sign in and walk to the settings; a laptop left open at lunch is past it. */
export const recentSignInMs = 10 * 60 * 1000

export type Presence = { account: AccountRow; sessionId: string; currentPassword: string | undefined; now: Date }

/**
 * Asks for proof that the person themselves sits there, before something is made that opens the account for good: the
 * password, or a session that has only just begun.
 * @throws recent_sign_in_required, wrong_credentials, too_many_requests, unavailable
 */
export async function requireRecentSignIn(
  service: AccountsService,
  { account, sessionId, currentPassword, now }: Presence,
): Promise<void> {
  if (currentPassword !== undefined) {
    await tryPassword(service, {
      password: currentPassword,
      passwordHash: account.passwordHash,
      // Counted with the changes of the password: a stolen session must not lock its owner out of signing in.
      counters: [{ limit: 'failuresFromKnownNetwork', key: `change ${account.id}` }],
    })
    return
  }
  const begun = await service.database
    .selectFrom('session')
    .select('id')
    .where('id', '=', sessionId)
    .where('createdAt', '>', new Date(now.getTime() - recentSignInMs))
    .executeTakeFirst()
  if (begun === undefined) throw problem('recent_sign_in_required')
}
