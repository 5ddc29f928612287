import type { BodyOf, deleteOwnAccount } from '@parley/contract'
import type { Caller } from '../access/caller.ts'
import { findAccount } from '../accounts/account/account-store.ts'
import type { AccountsService } from '../accounts/accounts-service.ts'
import { confirmByPasskey } from '../accounts/passkeys/confirm-by-passkey.ts'
import { listPasskeyRows } from '../accounts/passkeys/passkey-store.ts'
import { sessionOf } from '../accounts/sessions/own-session.ts'
import { requireRecentSignIn } from '../accounts/sign-in/recent-sign-in.ts'
import { requireOwnPassword } from '../accounts/sign-in/require-own-password.ts'
import type { Database } from '../platform/database/database.ts'
import { problem } from '../platform/http/problem.ts'

type Proof = Pick<BodyOf<typeof deleteOwnAccount>, 'currentPassword' | 'credential'>
type Confirmation = { caller: Caller; proof: Proof; address: string; now: Date }

/**
 * Require a proof of presence for a deletion: the password or a passkey assertion, however recent the sign-in is. An
 * account that has neither, because it signs in with the organisation's provider, needs a recent sign-in.
 * @throws confirmation_required, recent_sign_in_required, wrong_credentials, wrong_passkey, too_many_requests
 */
export async function requireConfirmation(
  database: Database,
  service: AccountsService,
  { caller, proof: { currentPassword, credential }, address, now }: Confirmation,
): Promise<void> {
  const account = await findAccount(database, caller.accountId)
  if (account === undefined) throw problem('unauthorized')
  const sessionId = sessionOf(caller)
  if (currentPassword !== undefined) {
    return requireOwnPassword(service, { account, password: currentPassword, address, now })
  }
  if (credential !== undefined)
    return confirmByPasskey(database, service, { account, sessionId, credential, address, now })
  const passkeys = await listPasskeyRows(database, account.id)
  const canConfirm = account.passwordHash !== null || passkeys.some(({ suspectedAt }) => suspectedAt === null)
  if (canConfirm) throw problem('confirmation_required')
  await requireRecentSignIn(database, service, { account, sessionId, currentPassword, address, now })
}
