import { isScope, type Scope } from '@parley/contract'
import { after, lifetimes } from '@parley/rules/oauth/lifetimes'
import { type Prompt, readPrompts } from '@parley/rules/oauth/prompt'
import type { Resource } from '@parley/rules/oauth/resource'
import { newToken } from '../../access/credentials/token-secret.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { Random } from '../../platform/random.ts'
import { sha256 } from '../../platform/sha256.ts'

/** Time to create an account or reset a password by email, whose links live as long, and to read the consent page. */
export const requestLifetimeMs = 60 * 60 * 1000

/** A validated authorization request. Forms refer to the request by its id and cannot change it. */
export type StoredRequest = {
  /** The client id of the request. */
  clientId: string
  redirectUri: string
  /** In registered order. */
  scopes: readonly Scope[]
  /** Returned unchanged, byte for byte (RFC 6749, 4.1.2). */
  state: Buffer | null
  codeChallenge: string | null
  /** What the tokens are for; null when the app named no resource. */
  resource: Resource | null
  prompts: readonly Prompt[]
  loginHint: string | null
  /** The account that signed in, or was chosen, for this request. */
  accountId: string | null
  createdAt: Date
}

/** Store a request and return the id that its pages carry. Only the SHA-256 of the id is stored. */
export async function insertRequest(
  database: Database,
  request: Omit<StoredRequest, 'accountId' | 'createdAt'>,
  { now, random }: { now: Date; random: Random },
): Promise<string> {
  const requestId = random.bytes(32).toString('base64url')
  await database
    .insertInto('authorizationRequest')
    .values({
      ...request,
      idHash: sha256(requestId),
      scopes: [...request.scopes],
      prompts: [...request.prompts],
      accountId: null,
      createdAt: now,
      expiresAt: new Date(now.getTime() + requestLifetimeMs),
    })
    .execute()
  return requestId
}

/** Find a request by its id; undefined after an hour. */
export async function findRequest(
  database: Database,
  requestId: string,
  now: Date,
): Promise<StoredRequest | undefined> {
  const row = await database
    .selectFrom('authorizationRequest')
    .select(['clientId', 'redirectUri', 'scopes', 'state', 'codeChallenge', 'resource', 'prompts', 'loginHint'])
    .select(['accountId', 'createdAt'])
    .where('idHash', '=', sha256(requestId))
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return row && { ...row, scopes: row.scopes.filter(isScope), prompts: readPrompts(row.prompts.join(' ')) ?? [] }
}

/** Record the account that signed in, or was chosen, for this request. */
export const confirmAccount = (tx: Tx | Database, requestId: string, accountId: string) =>
  tx.updateTable('authorizationRequest').set({ accountId }).where('idHash', '=', sha256(requestId)).execute()

/** Delete expired requests. Return how many were deleted. */
export async function deleteExpiredRequests(database: Database, now: Date): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom('authorizationRequest')
    .where('expiresAt', '<=', now)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

type NewCode = {
  grantId: string
  /** The redirect URI of the authorization request, byte for byte. */
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
 * Insert an authorization code of `[A-Za-z0-9_]`, valid once and for 300 s (RFC 6749, 4.1.2); only its SHA-256 is
 * stored.
 */
export async function insertCode(tx: Tx, code: NewCode): Promise<string> {
  const { grantId, redirectUri, scopes, codeChallenge, resource, now, random } = code
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
