import type { Database } from '../platform/database/database.ts'
import type { Encryption } from '../platform/encryption.ts'
import { sha256 } from '../platform/sha256.ts'

/** Long enough to find a second factor. */
const signInLifetimeMs = 10 * 60 * 1000

/** Secrets that validate the provider's response (OpenID Connect Core 1.0, 3.1.2.1; RFC 7636). */
export type SignInSecrets = { nonce: string; codeVerifier: string }

type StartedSignIn = SignInSecrets & { state: string; browserId: string; returnTo: string; now: Date }

const purpose = 'provider sign-in'

export async function insertSignIn(
  database: Database,
  encryption: Encryption,
  { state, browserId, returnTo, now, nonce, codeVerifier }: StartedSignIn,
): Promise<void> {
  const stateHash = sha256(state)
  await database
    .insertInto('providerSignIn')
    .values({
      stateHash,
      browserHash: sha256(browserId),
      sealedSecrets: encryption.encrypt(JSON.stringify({ nonce, codeVerifier }), purpose, stateHash.toString('hex')),
      returnTo,
      expiresAt: new Date(now.getTime() + signInLifetimeMs),
    })
    .execute()
}

/** Consume a sign-in; undefined when this browser has started none with this state, or it has expired. */
export async function consumeSignIn(
  database: Database,
  encryption: Encryption,
  { state, browserId, now }: { state: string; browserId: string; now: Date },
): Promise<(SignInSecrets & { returnTo: string }) | undefined> {
  const stateHash = sha256(state)
  const used = await database
    .deleteFrom('providerSignIn')
    .where('stateHash', '=', stateHash)
    .where('browserHash', '=', sha256(browserId))
    .where('expiresAt', '>', now)
    .returning(['sealedSecrets', 'returnTo'])
    .executeTakeFirst()
  if (used === undefined) return undefined
  const secrets = encryption.decrypt(used.sealedSecrets, purpose, stateHash.toString('hex'))
  return { ...JSON.parse(secrets), returnTo: used.returnTo }
}

export const deleteExpiredSignIns = (database: Database, now: Date) =>
  database.deleteFrom('providerSignIn').where('expiresAt', '<=', now).execute()
