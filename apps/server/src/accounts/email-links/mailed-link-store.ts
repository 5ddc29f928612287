import { newToken } from '../../access/credentials/token-secret.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { Random } from '../../platform/random.ts'

/** Links to reset a password live shorter: they open the account to any reader of the email. */
const lifetimesMs = { 'verify-email': 24 * 60 * 60 * 1000, 'reset-password': 60 * 60 * 1000 } as const
export type LinkPurpose = keyof typeof lifetimesMs
export const linkPurposes = Object.keys(lifetimesMs) as readonly LinkPurpose[]

const kinds = { 'verify-email': 'verifyEmail', 'reset-password': 'resetPassword' } as const

/** Insert a link for an account and return its token. */
export async function insertMailedLink(
  tx: Tx,
  random: Random,
  { accountId, purpose, now }: { accountId: string; purpose: LinkPurpose; now: Date },
): Promise<string> {
  const { token, hash } = newToken(kinds[purpose], random)
  const expiresAt = new Date(now.getTime() + lifetimesMs[purpose])
  await tx.insertInto('mailedLink').values({ tokenHash: hash, accountId, purpose, createdAt: now, expiresAt }).execute()
  return token
}

type LinkLookUp = { tokenHash: Buffer; purpose: LinkPurpose; now: Date }

/** Find the account of a valid link, without consuming it. */
export const findMailedLink = (database: Database, { tokenHash, purpose, now }: LinkLookUp) =>
  database
    .selectFrom('mailedLink')
    .select('accountId')
    .where('tokenHash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expiresAt', '>', now)
    .executeTakeFirst()

/** Consume a link; of two concurrent uses, one gets the account. */
export const consumeMailedLink = (tx: Tx, { tokenHash, purpose, now }: LinkLookUp) =>
  tx
    .deleteFrom('mailedLink')
    .where('tokenHash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expiresAt', '>', now)
    .returning('accountId')
    .executeTakeFirst()
