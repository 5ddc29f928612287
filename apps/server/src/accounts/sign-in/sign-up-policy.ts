import { addressKey } from '@parley/rules/text/email-address'
import { readTokenOf } from '../../access/credentials/token-secret.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { hasAccounts } from '../account/account-store.ts'

type SignUpPermission = {
  /** Sign-up is open for the first account only; whether this is the first is decided when it is created. */
  onlyAsFirst: boolean
  /** An invitation of this address. `provesAddress`: it was emailed, and no one else has seen its link. */
  invitation: { tokenHash: Buffer; provesAddress: boolean } | undefined
}

/**
 * Decide whether a person may sign up, by SIGN_UP and the invitation. The first account is always possible, because
 * invitations need an account.
 * @throws sign_up_closed, invitation_required, invalid_token
 */
export async function findSignUpPermission(
  database: Database,
  signUp: Config['signUp'],
  visitor: { invitation: string | undefined; email: string; now: Date },
): Promise<SignUpPermission> {
  const onlyAsFirst = signUp !== 'open' && !(await hasAccounts(database))
  if (signUp === 'closed' && !onlyAsFirst) throw problem('sign_up_closed')
  if (visitor.invitation !== undefined) {
    return { onlyAsFirst: false, invitation: await findInvitation(database, visitor.invitation, visitor) }
  }
  if (signUp === 'invite' && !onlyAsFirst) throw problem('invitation_required')
  return { onlyAsFirst, invitation: undefined }
}

async function findInvitation(database: Database, token: string, { email, now }: { email: string; now: Date }) {
  const tokenHash = readTokenOf('invitation', token)
  if (tokenHash === undefined) throw problem('invalid_token')
  const invitation = await database
    .selectFrom('signUpInvitation')
    .select('linkShown')
    .where('tokenHash', '=', tokenHash)
    .where('emailKey', '=', addressKey(email))
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  if (invitation === undefined) throw problem('invalid_token')
  return { tokenHash, provesAddress: !invitation.linkShown }
}

/** Consume an invitation; of two concurrent uses, one succeeds. @throws invalid_token */
export async function consumeInvitation(tx: Tx, tokenHash: Buffer): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('signUpInvitation')
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw problem('invalid_token')
}
