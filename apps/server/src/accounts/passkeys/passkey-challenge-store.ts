import { hash } from 'node:crypto'
import type { Random } from '../../platform/random.ts'
import type { Database } from '../../tables/tables.ts'

/** Long enough to find a phone and its fingerprint reader; a page that stays open asks anew. */
export const challengeLifetimeMs = 5 * 60 * 1000

/** What keeps a challenge bound: the session that adds a passkey, or nobody yet where somebody signs in. */
type Bound = { sessionId: string | null; now: Date }

/** 256 random bits that an authenticator signs once (WebAuthn, 13.4.3). */
export async function keepChallenge(database: Database, random: Random, { sessionId, now }: Bound): Promise<Buffer> {
  const challenge = random.bytes(32)
  const expiresAt = new Date(now.getTime() + challengeLifetimeMs)
  await database
    .insertInto('passkeyChallenge')
    .values({ challengeHash: hashOf(challenge), sessionId, expiresAt })
    .execute()
  return challenge
}

/** Uses a challenge up, whatever becomes of the answer to it. Whether it was good, and for this. */
export async function useChallenge(database: Database, text: string, { sessionId, now }: Bound): Promise<boolean> {
  const used = await database
    .deleteFrom('passkeyChallenge')
    .where('challengeHash', '=', hashOf(Buffer.from(text, 'base64url')))
    .where('sessionId', sessionId === null ? 'is' : '=', sessionId)
    .where('expiresAt', '>', now)
    .returning('challengeHash')
    .executeTakeFirst()
  return used !== undefined
}

const hashOf = (challenge: Buffer): Buffer => hash('sha256', challenge, 'buffer')
