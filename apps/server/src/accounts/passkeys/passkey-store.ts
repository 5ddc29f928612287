import type { Insertable, Selectable } from 'kysely'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'
import type { Random } from '../../platform/random.ts'
import { sha256 } from '../../platform/sha256.ts'

/** A phone, a laptop and a few keys; the list fits on one page. */
export const maxPasskeys = 20

export type PasskeyRow = Selectable<Tables['passkey']>
type NewPasskeyRow = Insertable<Tables['passkey']>

export const listPasskeyRows = (database: Database, accountId: string): Promise<PasskeyRow[]> =>
  database
    .selectFrom('passkey')
    .selectAll()
    .where('accountId', '=', accountId)
    .orderBy('id', 'desc')
    .limit(maxPasskeys)
    .execute()

export const findPasskey = (database: Database, credentialId: Buffer): Promise<PasskeyRow | undefined> =>
  database.selectFrom('passkey').selectAll().where('credentialId', '=', credentialId).executeTakeFirst()

/** Lock a passkey until commit, so that concurrent uses are counted one after the other. */
export const lockPasskey = (tx: Tx, id: string): Promise<PasskeyRow | undefined> =>
  tx.selectFrom('passkey').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Insert a passkey; undefined when the credential exists already, on any account. */
export const insertPasskey = (tx: Tx, passkey: NewPasskeyRow): Promise<PasskeyRow | undefined> =>
  tx
    .insertInto('passkey')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credentialId').doNothing())
    .returningAll()
    .executeTakeFirst()

export const recordPasskeyUse = (tx: Tx, id: string, use: { counter: number; synced: boolean; now: Date }) =>
  tx
    .updateTable('passkey')
    .set({ counter: use.counter, synced: use.synced, lastUsedAt: use.now })
    .where('id', '=', id)
    .execute()

export const suspectPasskey = (tx: Tx, id: string, now: Date) =>
  tx.updateTable('passkey').set({ suspectedAt: now }).where('id', '=', id).execute()

/** Rename a passkey of the account; undefined when it has no such passkey. */
export const renamePasskeyRow = (database: Database, accountId: string, id: string, name: string) =>
  database
    .updateTable('passkey')
    .set({ name })
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

/** Delete a passkey of the account. Return its name, or undefined when the account has no such passkey. */
export async function deletePasskeyRow(tx: Tx, accountId: string, id: string): Promise<string | undefined> {
  const deleted = await tx
    .deleteFrom('passkey')
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()
  return deleted?.name
}

export const deletePasskeys = (tx: Tx, accountId: string) =>
  tx.deleteFrom('passkey').where('accountId', '=', accountId).execute()

/** Long enough to find a phone and its fingerprint reader; a page that stays open requests a new one. */
export const challengeLifetimeMs = 5 * 60 * 1000

/** The session that a challenge is for; null for a sign-in. */
type ChallengeBinding = { sessionId: string | null; now: Date }

/** Create a challenge of 256 random bits that an authenticator signs once (WebAuthn Level 3, 13.4.3). */
export async function createChallenge(
  database: Database,
  random: Random,
  { sessionId, now }: ChallengeBinding,
): Promise<Buffer> {
  const challenge = random.bytes(32)
  const expiresAt = new Date(now.getTime() + challengeLifetimeMs)
  await database
    .insertInto('passkeyChallenge')
    .values({ challengeHash: sha256(challenge), sessionId, expiresAt })
    .execute()
  return challenge
}

/** Consume a challenge, whether or not the response is valid. Return whether it was valid for this session. */
export async function consumeChallenge(
  database: Database,
  text: string,
  { sessionId, now }: ChallengeBinding,
): Promise<boolean> {
  const used = await database
    .deleteFrom('passkeyChallenge')
    .where('challengeHash', '=', sha256(Buffer.from(text, 'base64url')))
    .where('sessionId', sessionId === null ? 'is' : '=', sessionId)
    .where('expiresAt', '>', now)
    .returning('challengeHash')
    .executeTakeFirst()
  return used !== undefined
}
