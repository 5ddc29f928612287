import type { Caller } from '../access/caller.ts'
import { findAccount } from '../accounts/account/account-store.ts'
import type { AccountsService } from '../accounts/accounts-service.ts'
import { sessionOf } from '../accounts/sessions/own-session.ts'
import { requireRecentSignIn } from '../accounts/sign-in/recent-sign-in.ts'
import { problem } from '../platform/http/problem.ts'

export type Confirmation = { caller: Caller; currentPassword: string | undefined; address: string; now: Date }

/**
 * Ask for the password of whoever deletes an account, or for a session that has just begun, with a passkey or the provider.
 * @throws recent_sign_in_required, wrong_credentials, too_many_requests
 */
export async function requireConfirmation(service: AccountsService, { caller, ...proof }: Confirmation): Promise<void> {
  const account = await findAccount(service.database, caller.accountId)
  if (account === undefined) throw problem('unauthorized')
  await requireRecentSignIn(service, { account, sessionId: sessionOf(caller), ...proof })
}
