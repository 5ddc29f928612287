import { addressKey } from '@parley/rules/text/email-address'
import { readTokenOf } from '../../access/credentials/token-secret.ts'
import type { Config } from '../../platform/config/config.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Database, Tx } from '../../tables/tables.ts'
import { hasAccounts } from '../account/account-store.ts'

export type SignUpPermission = {
  /** Open for the first account of a fresh database alone; whether it is the first is settled when it is made. */
  onlyAsFirst: boolean
  /** Of an invitation that was mailed to this very address. */
  invitationHash: Buffer | undefined
}

/**
 * Whether somebody may sign up: SIGN_UP, and the invitation that was brought. The first account is always possible, or
 * nobody could invite.
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
    return { onlyAsFirst: false, invitationHash: await findInvitation(database, visitor.invitation, visitor) }
  }
  if (signUp === 'invite' && !onlyAsFirst) throw problem('invitation_required')
  return { onlyAsFirst, invitationHash: undefined }
}

async function findInvitation(database: Database, token: string, { email, now }: { email: string; now: Date }) {
  const tokenHash = readTokenOf('invitation', token)
  if (tokenHash === undefined) throw problem('invalid_token')
  const invitation = await database
    .selectFrom('signUpInvitation')
    .select('tokenHash')
    .where('tokenHash', '=', tokenHash)
    .where('emailKey', '=', addressKey(email))
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  if (invitation === undefined) throw problem('invalid_token')
  return tokenHash
}

/** An invitation is good once; of two who use it at the same time, one comes in. @throws invalid_token */
export async function useInvitation(tx: Tx, tokenHash: Buffer): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('signUpInvitation')
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw problem('invalid_token')
}
