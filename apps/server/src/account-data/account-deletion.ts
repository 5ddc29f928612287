import { type BodyOf, deleteAccount, deleteOwnAccount } from '@parley/contract'
import type { Caller } from '../access/caller.ts'
import { findAccount } from '../accounts/account/account-store.ts'
import type { Dependencies } from '../accounts/dependencies.ts'
import { confirmByPasskey } from '../accounts/passkeys/passkey-assertion.ts'
import { listPasskeyRows } from '../accounts/passkeys/passkey-store.ts'
import { requireOwnPassword, requireRecentSignIn } from '../accounts/password-checks.ts'
import { sessionOf } from '../accounts/sessions/sessions.ts'
import { type Database, inTransaction } from '../platform/database/database.ts'
import { isUuid } from '../platform/database/uuid.ts'
import { problem } from '../platform/http/problem.ts'
import { closeAccount } from './close-account.ts'

/** Register the endpoints that delete accounts. */
export function registerAccountDeletion(dependencies: Dependencies): void {
  serveDeleteOwnAccount(dependencies)
  serveDeleteAccount(dependencies)
}

/** Close the caller's own account, and clear the browser's session cookie. */
function serveDeleteOwnAccount(service: Dependencies) {
  const { serve, clock, sessionCookie } = service
  serve(deleteOwnAccount, {
    handle: async ({ caller, body, request, answer, database }) => {
      const now = clock.now()
      const { address } = request
      await requireConfirmation(database, service, { caller, proof: body, address, now })
      const { accountId, tenantId } = caller
      const closing = { accountId, tenantId, actorId: accountId, meetings: body.meetings ?? 'cancel', address, now }
      await inTransaction(database, (tx) => closeAccount(tx, service, closing))
      answer.header('set-cookie', sessionCookie.clear())
      return {
        status: 'Your account is deleted. Your data, except ids, is erased after your guests have been notified.',
      }
    },
  })
}

/** Close an account of the administrator's own organisation. */
function serveDeleteAccount(service: Dependencies) {
  const { serve, clock } = service
  serve(deleteAccount, {
    handle: async ({ caller, params: { userId }, body, request, database }) => {
      const now = clock.now()
      const { address } = request
      await requireConfirmation(database, service, { caller, proof: body, address, now })
      if (!isUuid(userId)) throw problem('account_not_found')
      const { accountId: actorId, tenantId } = caller
      const closing = { accountId: userId, tenantId, actorId, meetings: body.meetings ?? 'cancel', address, now }
      await inTransaction(database, (tx) => closeAccount(tx, service, closing))
      return { status: 'The account is deleted. Its data, except ids, is erased after its guests have been notified.' }
    },
  })
}

type Proof = Pick<BodyOf<typeof deleteOwnAccount>, 'currentPassword' | 'credential'>
type Confirmation = { caller: Caller; proof: Proof; address: string; now: Date }

/**
 * Require a proof of presence for a deletion: the password or a passkey assertion, however recent the sign-in is. A
 * deletion cannot be undone, and a laptop that was left open after the sign-in is the usual risk. An account that has
 * neither, because it signs in with the organisation's provider, needs a recent sign-in: providers implement `prompt`
 * and `max_age` differently.
 * @throws confirmation_required, recent_sign_in_required, wrong_credentials, wrong_passkey, too_many_requests
 */
async function requireConfirmation(
  database: Database,
  service: Dependencies,
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
