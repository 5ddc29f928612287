import { type Database, inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { isAddressTaken } from '../account/account-store.ts'
import type { AccountsService } from '../accounts-service.ts'
import { beginSession } from '../sessions/begin-session.ts'
import { completeSignUp, findPendingSignUp } from '../sign-in/pending-sign-up.ts'
import { type Confirmation, verifyProof } from './confirmation.ts'

/**
 * Create the account of a confirmed sign-up. Nothing was granted before, so only the password may be known to others; a
 * new one replaces it.
 * @throws invalid_token, wrong_credentials, sign_up_closed, set_up_code_required
 */
export async function confirmSignUp(
  database: Database,
  service: AccountsService,
  tokenHash: Buffer,
  confirmation: Confirmation,
) {
  const { proof, request, now } = confirmation
  const pending = await findPendingSignUp(database, tokenHash, now)
  if (pending === undefined) throw problem('invalid_token')
  const passwordHash = await verifyProof(service, confirmation, { ...pending, tokenHash })
  return inTransaction(database, async (tx) => {
    const context = { now, address: request.address, ...(passwordHash !== undefined && { passwordHash }) }
    const account = await completeSignUp(tx, service, tokenHash, context)
    return proof.kind === 'link' ? undefined : beginSession(tx, service, account, { request, now, by: 'sign-up' })
  }).catch((error) => {
    throw isAddressTaken(error) ? problem('invalid_token') : error
  })
}
