import type { Database } from '../../platform/database/database.ts'
import type { Random } from '../../platform/random.ts'
import { sha256 } from '../../platform/sha256.ts'

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

/** Consume a challenge, whether or not the response is valid. Returns whether it was valid for this session. */
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
