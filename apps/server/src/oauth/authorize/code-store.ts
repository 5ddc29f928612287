import type { Scope } from '@parley/contract'
import { after, lifetimes } from '@parley/rules/oauth/lifetimes'
import { newToken } from '../../access/credentials/token-secret.ts'
import type { Random } from '../../platform/random.ts'
import type { Tx } from '../../tables/tables.ts'

export type IssuedCode = {
  grantId: string
  /** As it stood in the authorization request, byte for byte. */
  redirectUri: string
  /** What the tokens will carry, in registered order: at most what the grant holds. */
  scopes: readonly Scope[]
  /** S256 (RFC 7636, 4.2); null when the app sent none. */
  codeChallenge: string | null
  now: Date
  random: Random
}

/** A code for the redirect, good for 300 s and once (oauth.md 3.4), of `[A-Za-z0-9_]`; only its SHA-256 is kept. */
export async function issueCode(tx: Tx, issued: IssuedCode): Promise<string> {
  const { grantId, redirectUri, scopes, codeChallenge, now, random } = issued
  const { token, hash } = newToken('authorizationCode', random)
  await tx
    .insertInto('authorizationCode')
    .values({
      ...{ codeHash: hash, grantId, familyId: random.uuid(now), redirectUri, scopes: [...scopes], codeChallenge },
      ...{ createdAt: now, expiresAt: after(now, lifetimes.codeMs), usedAt: null },
    })
    .execute()
  return token
}
