import { findGrantRefusal, type GrantFacts, type Refusal, temporarilyUnavailable } from './grant-status.ts'
import { lifetimes } from './lifetimes.ts'
import { areSame, includesAll } from './scope-set.ts'

export type FoundRefreshToken = GrantFacts & {
  ofThisClient: boolean
  scopes: readonly string[]
  expiresAt: Date
  rotatedAt: Date | null
  /** When the successor was itself rotated; null while it has not been. */
  successorRotatedAt: Date | null
  /** The access token of the first exchange; null when it was revoked individually. */
  access: { scopes: readonly string[]; expiresAt: Date } | null
}

type FailedRefresh =
  /** Return the answer to the first exchange again. */
  | { kind: 'repeat'; scopes: readonly string[]; expiresAt: Date }
  | { kind: 'replay'; cause: string }
  | ({ kind: 'refused' } & Refusal)

/**
 * Classify why a refresh token was not rotated (RFC 6749, 6; RFC 9700, 4.14). `repeat`: the response was lost, return
 * the same pair again (docs/oauth.md, "Refreshing"). `replay`: the token was used twice, revoke the whole family.
 * `requested`: undefined for all scopes of the token.
 */
export function classifyFailedRefresh(
  token: FoundRefreshToken | undefined,
  requested: readonly string[] | undefined,
  now: Date,
): FailedRefresh {
  if (token === undefined) return refuse('There is no such refresh token.')
  if (!token.ofThisClient) return refuse('The refresh token was issued to another client.')
  const notLive = findGrantRefusal(token, now)
  if (notLive !== undefined) return { kind: 'refused', ...notLive }
  if (token.rotatedAt !== null) return classifySecondUse(token, token.rotatedAt, requested ?? token.scopes, now)
  if (token.expiresAt <= now) return refuse('The refresh token has expired.')
  if (requested !== undefined && !includesAll(token.scopes, requested)) {
    const more = requested.filter((scope) => !token.scopes.includes(scope)).join(', ')
    return {
      kind: 'refused',
      error: 'invalid_scope',
      cause: `scope names more than the refresh token carries: ${more}.`,
    }
  }
  return { kind: 'refused', ...temporarilyUnavailable }
}

function classifySecondUse(
  { access, successorRotatedAt }: FoundRefreshToken,
  rotatedAt: Date,
  requested: readonly string[],
  now: Date,
): FailedRefresh {
  if (successorRotatedAt !== null) {
    return { kind: 'replay', cause: 'A refresh token was used again after its successor; its family was ended.' }
  }
  if (now.getTime() - rotatedAt.getTime() >= lifetimes.replayMs) {
    return { kind: 'replay', cause: 'A refresh token was used again after a minute; its family was ended.' }
  }
  if (access === null) return refuse('The access token of the first exchange was revoked.')
  if (!areSame(access.scopes, requested)) return refuse('The refresh token was used again with another scope.')
  return { kind: 'repeat', ...access }
}

const refuse = (cause: string) => ({ kind: 'refused', error: 'invalid_grant', cause }) as const
