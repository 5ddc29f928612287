import { newToken } from '../../access/credentials/token-secret.ts'
import type { Random } from '../../platform/random.ts'
import type { Database, Tx } from '../../tables/tables.ts'

/** The shorter one opens an account to whoever reads the mail. */
const lifetimesMs = { 'verify-email': 24 * 60 * 60 * 1000, 'reset-password': 60 * 60 * 1000 } as const
export type LinkPurpose = keyof typeof lifetimesMs
export const linkPurposes = Object.keys(lifetimesMs) as readonly LinkPurpose[]

const kinds = { 'verify-email': 'verifyEmail', 'reset-password': 'resetPassword' } as const

/** Keeps a link for an account's owner; the token to mail. */
export async function keepMailedLink(
  tx: Tx,
  random: Random,
  { accountId, purpose, now }: { accountId: string; purpose: LinkPurpose; now: Date },
): Promise<string> {
  const { token, hash } = newToken(kinds[purpose], random)
  const expiresAt = new Date(now.getTime() + lifetimesMs[purpose])
  await tx.insertInto('mailedLink').values({ tokenHash: hash, accountId, purpose, createdAt: now, expiresAt }).execute()
  return token
}

export type LinkLookUp = { tokenHash: Buffer; purpose: LinkPurpose; now: Date }

/** Whose link it is, while it is good; it stays good. */
export const findMailedLink = (database: Database, { tokenHash, purpose, now }: LinkLookUp) =>
  database
    .selectFrom('mailedLink')
    .select('accountId')
    .where('tokenHash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expiresAt', '>', now)
    .executeTakeFirst()

/** Uses a link up: of two who use it at the same time, one gets its account. */
export const useMailedLink = (tx: Tx, { tokenHash, purpose, now }: LinkLookUp) =>
  tx
    .deleteFrom('mailedLink')
    .where('tokenHash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expiresAt', '>', now)
    .returning('accountId')
    .executeTakeFirst()
