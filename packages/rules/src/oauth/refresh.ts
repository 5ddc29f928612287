import { type ClientType, isPublic } from './client-type.ts'
import { findGrantRefusal, type GrantRefusal, type GrantStatus, temporarilyUnavailable } from './grant-status.ts'
import { lifetimes } from './lifetimes.ts'
import { isFor, type Resource } from './resource.ts'
import { areSame, includesAll } from './scope-set.ts'

export type FoundRefreshToken = GrantStatus & {
  ofThisClient: boolean
  scopes: readonly string[]
  /** Null when the authorization request named none. */
  resource: Resource | null
  expiresAt: Date
  rotatedAt: Date | null
  /** When the successor was itself rotated; null while it has not been. */
  successorRotatedAt: Date | null
  /** The access token of the first use; null when it was revoked individually. */
  access: { scopes: readonly string[]; expiresAt: Date } | null
}

type RefreshPresentation = {
  clientType: ClientType
  /** Undefined for all scopes of the token. */
  scopes: readonly string[] | undefined
  resource: Resource | undefined
}

type FailedRefresh =
  /** Return the tokens of the first use again. */
  | { kind: 'repeat'; scopes: readonly string[]; expiresAt: Date }
  /** The successor was used as well, within the repeat window: return what the successor gets. */
  | { kind: 'superseded' }
  | { kind: 'replay'; cause: string }
  | ({ kind: 'refused' } & GrantRefusal)

/**
 * Classify why a refresh token was not rotated (RFC 6749, 6; RFC 9700, 4.14). `repeat`: the response was lost, return
 * the same pair again (docs/oauth-reference.md, "Refreshing"). `replay`: the token was used twice, end the family. The repeat
 * window of a public client is shorter, because a thief needs no secret. But concurrent calls of one program refresh
 * separately, as the official client of MCP does, and one of them may still use a token whose successor another one has
 * used: within the window that is no replay.
 */
export function classifyFailedRefresh(
  token: FoundRefreshToken | undefined,
  { clientType, scopes: requested, resource }: RefreshPresentation,
  now: Date,
): FailedRefresh {
  if (token === undefined) return refuse('There is no such refresh token.')
  if (!token.ofThisClient) return refuse('The refresh token was issued to another client.')
  const notLive = findGrantRefusal(token, now)
  if (notLive !== undefined) return { kind: 'refused', ...notLive }
  if (resource !== undefined && !isFor(token.resource, resource)) {
    return { kind: 'refused', error: 'invalid_target', cause: 'The resource is not the one of the refresh token.' }
  }
  if (token.rotatedAt !== null) {
    const sinceMs = now.getTime() - token.rotatedAt.getTime()
    return classifySecondUse(token, { sinceMs, isPublic: isPublic(clientType) }, requested ?? token.scopes)
  }
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
  { sinceMs, isPublic }: { sinceMs: number; isPublic: boolean },
  requested: readonly string[],
): FailedRefresh {
  const repeatMs = isPublic ? lifetimes.publicRepeatMs : lifetimes.repeatMs
  if (successorRotatedAt !== null && isPublic && sinceMs < repeatMs) return { kind: 'superseded' }
  if (successorRotatedAt !== null) {
    return { kind: 'replay', cause: 'A refresh token was used again after its successor; its family was ended.' }
  }
  if (sinceMs >= repeatMs) {
    const cause = `A refresh token was used again after ${repeatMs / 1_000} seconds; its family was ended.`
    return { kind: 'replay', cause }
  }
  if (access === null) return refuse('The access token of the first exchange was revoked.')
  if (!areSame(access.scopes, requested)) return refuse('The refresh token was used again with another scope.')
  return { kind: 'repeat', ...access }
}

const refuse = (cause: string) => ({ kind: 'refused', error: 'invalid_grant', cause }) as const
