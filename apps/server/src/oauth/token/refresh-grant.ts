import { classifyFailedRefresh } from '@parley/rules/oauth/refresh'
import type { Resource } from '@parley/rules/oauth/resource'
import { describeOtherToken, readTokenOf, tokenOf } from '../../access/credentials/token-secret.ts'
import { createBatcher } from '../../platform/database/batch.ts'
import { retryOnConflict } from '../../platform/database/database.ts'
import type { Encryption } from '../../platform/encryption.ts'
import type { Dependencies } from '../dependencies.ts'
import type { ClientRequest } from './client-endpoint.ts'
import { TokenRefusal } from './token-errors.ts'
import {
  endReplayedFamily,
  findRefreshToken,
  type Rotation,
  rotateRefreshTokens,
  type TokenPair,
  type TokenResponse,
} from './token-store.ts'

type RefreshRequest = ClientRequest & {
  refreshToken: string
  scopes: readonly string[] | undefined
  resource: Resource | undefined
}

/** Upper bound for concurrent refreshes of one client within the repeat window. */
const maxSuccessors = 16

/**
 * Create the refresh token grant (RFC 6749, 6). Each use rotates the token. Within the repeat window a client whose
 * response was lost gets the same response again; any other second use is a replay and ends the family (RFC 9700,
 * 4.14.2; docs/oauth-reference.md, "Refreshing").
 */
export function createRefreshGrant({ database, random, encryption }: Dependencies) {
  // Concurrent requests share a statement, its round trip and its commit.
  const rotate = createBatcher((rotations: readonly Rotation[]) =>
    retryOnConflict(() => rotateRefreshTokens(database, rotations)),
  )

  /** @throws TokenRefusal invalid_grant, invalid_scope, invalid_target, unauthorized_client */
  return async (request: RefreshRequest): Promise<TokenResponse> => {
    const { client, now, requestId, refreshToken, scopes, resource } = request
    const tokenHash = readTokenOf('oauthRefresh', refreshToken)
    if (tokenHash === undefined) {
      const cause = describeOtherToken('refresh_token', 'oauthRefresh', refreshToken)
      throw new TokenRefusal('invalid_grant', cause, { isExact: true })
    }

    let rotation: Rotation = {
      tokenHash,
      pair: succeedingPair(refreshToken, encryption),
      client,
      scopes,
      resource,
      now,
    }
    const issued = await rotate(rotation)
    if (issued !== undefined) return { ...issued, pair: rotation.pair }

    // The statement refused the rotation without a cause: look the cause up.
    const endFamily = async (familyId: string | undefined, cause: string) => {
      const replay = { familyId, kind: 'refresh_replayed', cause } as const
      await endReplayedFamily(database, random, { ...replay, client, now, requestId })
      return new TokenRefusal('invalid_grant', cause, { event: null })
    }
    for (let successors = 0; ; successors++) {
      const found = await findRefreshToken(database, rotation)
      const failed = classifyFailedRefresh(found, { clientType: client.clientType, scopes, resource }, now)
      switch (failed.kind) {
        case 'repeat':
          return { scopes: failed.scopes, expiresAt: failed.expiresAt, pair: rotation.pair }
        case 'refused':
          throw new TokenRefusal(failed.error, failed.cause)
        case 'replay':
          throw await endFamily(found?.familyId, failed.cause)
        case 'superseded': {
          if (successors === maxSuccessors) {
            const cause = `A refresh token was used again after ${maxSuccessors} successors; its family was ended.`
            throw await endFamily(found?.familyId, cause)
          }
          // Calls of one program have refreshed one after the other: return the tokens of the last rotation.
          const { token, hash } = rotation.pair.refresh
          rotation = { ...rotation, tokenHash: hash, pair: succeedingPair(token, encryption) }
        }
      }
    }
  }
}

/**
 * Derive the pair that follows a refresh token: HMACs of the token under our secret key. A client that repeats a lost
 * request gets the same pair, although only hashes are stored; a stolen token reveals nothing without the key.
 */
const succeedingPair = (refreshToken: string, encryption: Encryption): TokenPair => ({
  access: tokenOf('oauthAccess', encryption.mac('access token after refresh token', refreshToken)),
  refresh: tokenOf('oauthRefresh', encryption.mac('refresh token after refresh token', refreshToken)),
})
