import { hash } from 'node:crypto'
import { classifyFailedExchange, isCodeVerifier } from '@parley/rules/oauth/code-exchange'
import type { Resource } from '@parley/rules/oauth/resource'
import { describeOtherToken, readTokenOf } from '../../access/credentials/token-secret.ts'
import { findCode } from './code-exchange-store.ts'
import { endReplayedFamily } from './end-replayed-family.ts'
import type { Exchange, Exchanged } from './exchange.ts'
import { TokenRefusal } from './token-errors.ts'
import { newPair } from './token-pair.ts'
import type { TokenService } from './token-service.ts'

type CodeRequest = {
  code: string
  redirectUri: string | undefined
  codeVerifier: string | undefined
  resource: Resource | undefined
}

/**
 * Exchange a code for the first tokens of a family, in one statement; a second statement looks for the cause of a
 * refusal (RFC 6749, 4.1.3; RFC 7636, 4.6).
 * @throws TokenRefusal invalid_grant, invalid_request, invalid_target, unauthorized_client
 */
export async function exchangeCode(
  service: TokenService,
  exchange: Exchange,
  { code, redirectUri, codeVerifier, resource }: CodeRequest,
): Promise<Exchanged> {
  const { database, random } = service
  const { client, now } = exchange
  const codeHash = readTokenOf('authorizationCode', code)
  if (codeHash === undefined) {
    throw new TokenRefusal('invalid_grant', describeOtherToken('code', 'authorizationCode', code), { isExact: true })
  }
  const challenge = challengeOf(codeVerifier)
  const pair = newPair(random)
  const issued = await service.useCode({ codeHash, client, redirectUri, challenge, resource, pair, now })
  if (issued !== undefined) return { ...issued, pair }

  const found = await findCode(database, codeHash, client)
  const failed = classifyFailedExchange(found, { redirectUri, challenge, resource }, now)
  switch (failed.kind) {
    case 'refused':
      throw new TokenRefusal(failed.error, failed.cause)
    case 'replay':
      throw await endReplayedFamily(service, exchange, {
        familyId: found?.familyId,
        kind: 'code_replayed',
        cause: failed.cause,
      })
  }
}

/** S256 (RFC 7636, 4.6). A malformed verifier matches no challenge. */
function challengeOf(verifier: string | undefined): string | undefined {
  if (verifier === undefined) return undefined
  return isCodeVerifier(verifier) ? hash('sha256', verifier, 'base64url') : 'mismatch'
}
