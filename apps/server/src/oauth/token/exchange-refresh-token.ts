import { classifyFailedRefresh } from '@parley/rules/oauth/refresh'
import type { Resource } from '@parley/rules/oauth/resource'
import { describeOtherToken, readTokenOf } from '../../access/credentials/token-secret.ts'
import { endReplayedFamily } from './end-replayed-family.ts'
import type { Exchange, Exchanged } from './exchange.ts'
import { findRefreshToken, type Rotation } from './refresh-token-store.ts'
import { TokenRefusal } from './token-errors.ts'
import { succeedingPair } from './token-pair.ts'
import type { TokenService } from './token-service.ts'

type RefreshRequest = {
  refreshToken: string
  scopes: readonly string[] | undefined
  resource: Resource | undefined
}

/**
 * Rotate a refresh token in one statement; a second statement looks for the cause of a refusal. If the reply was lost,
 * the same request gets it again for a short time; any other second use ends the family (RFC 6749,
 * 6; RFC 9700, 4.14.2; docs/oauth.md, "Refreshing").
 * @throws TokenRefusal invalid_grant, invalid_scope, invalid_target, unauthorized_client
 */
export async function exchangeRefreshToken(
  service: TokenService,
  exchange: Exchange,
  { refreshToken, scopes, resource }: RefreshRequest,
): Promise<Exchanged> {
  const { encryption } = service
  const { client, now } = exchange
  const refreshHash = readTokenOf('oauthRefresh', refreshToken)
  if (refreshHash === undefined) {
    const cause = describeOtherToken('refresh_token', 'oauthRefresh', refreshToken)
    throw new TokenRefusal('invalid_grant', cause, { isExact: true })
  }
  const pair = succeedingPair(refreshToken, encryption)
  const rotation = { refreshHash, client, scopes, resource, pair, now }
  const issued = await service.rotateRefreshToken(rotation)
  if (issued !== undefined) return { ...issued, pair }

  const { found, failed, pair: latest } = await findFailure(service, rotation)
  switch (failed.kind) {
    case 'repeat':
      return { scopes: failed.scopes, expiresAt: failed.expiresAt, pair: latest }
    case 'refused':
      throw new TokenRefusal(failed.error, failed.cause)
    case 'replay':
      throw await endReplayedFamily(service, exchange, {
        familyId: found?.familyId,
        kind: 'refresh_replayed',
        cause: failed.cause,
      })
  }
}

/** More than calls of one program, each a step behind the other, refresh within the time of a repetition. */
const maxSuccessors = 16

/** Find out why a refresh token was not rotated, or, if successors of it were used in the same seconds, the last one. */
async function findFailure({ database, encryption }: TokenService, rotation: Rotation) {
  const { client, scopes, resource, now } = rotation
  let presented = rotation
  for (let successors = 0; ; successors++) {
    const { pair } = presented
    const found = await findRefreshToken(database, presented)
    const failed = classifyFailedRefresh(found, { clientType: client.clientType, scopes, resource }, now)
    if (failed.kind !== 'superseded') return { found, failed, pair }
    if (successors === maxSuccessors) return { found, failed: tooManyUses, pair }
    const { token, hash } = pair.refresh
    presented = { ...presented, refreshHash: hash, pair: succeedingPair(token, encryption) }
  }
}

const tooManyUses = {
  kind: 'replay' as const,
  cause: `A refresh token was used again after ${maxSuccessors} successors; its family was ended.`,
}
