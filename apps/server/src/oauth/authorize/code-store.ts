import type { Scope } from '@parley/contract'
import { after, lifetimes } from '@parley/rules/oauth/lifetimes'
import type { Resource } from '@parley/rules/oauth/resource'
import { newToken } from '../../access/credentials/token-secret.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Random } from '../../platform/random.ts'

type IssuedCode = {
  grantId: string
  /** As in the authorization request, byte for byte. */
  redirectUri: string
  /** The scopes of the tokens, in registered order: a subset of the grant's. */
  scopes: readonly Scope[]
  /** S256 (RFC 7636, 4.2); null when the app sent none. */
  codeChallenge: string | null
  /** What the tokens are for; null when the app named no resource. */
  resource: Resource | null
  now: Date
  random: Random
}

/**
 * Issue an authorization code of `[A-Za-z0-9_]`, valid once and for 300 s (RFC 6749, 4.1.2); only its SHA-256 is
 * stored.
 */
export async function issueCode(tx: Tx, issued: IssuedCode): Promise<string> {
  const { grantId, redirectUri, scopes, codeChallenge, resource, now, random } = issued
  const { token, hash } = newToken('authorizationCode', random)
  await tx
    .insertInto('authorizationCode')
    .values({
      codeHash: hash,
      grantId,
      familyId: random.uuid(now),
      redirectUri,
      scopes: [...scopes],
      codeChallenge,
      resource,
      createdAt: now,
      expiresAt: after(now, lifetimes.codeMs),
      usedAt: null,
    })
    .execute()
  return token
}
