import { hash } from 'node:crypto'
import { classifyFailedExchange, isCodeVerifier } from '@parley/rules/oauth/code-exchange'
import type { Resource } from '@parley/rules/oauth/resource'
import { describeOtherToken, readTokenOf, tokenOf } from '../../access/credentials/token-secret.ts'
import { createBatcher } from '../../platform/database/batch.ts'
import { retryOnConflict } from '../../platform/database/database.ts'
import type { Random } from '../../platform/random.ts'
import type { Dependencies } from '../dependencies.ts'
import type { ClientRequest } from './client-endpoint.ts'
import { TokenRefusal } from './token-errors.ts'
import {
  type CodeExchange,
  endReplayedFamily,
  exchangeCodes,
  findCode,
  type TokenPair,
  type TokenResponse,
} from './token-store.ts'

type CodeRequest = ClientRequest & {
  code: string
  redirectUri: string | undefined
  codeVerifier: string | undefined
  resource: Resource | undefined
}

/** Create the authorization code grant (RFC 6749, 4.1.3; RFC 7636, 4.6): a code for the first tokens of a family. */
export function createCodeGrant({ database, random }: Dependencies) {
  // Concurrent requests share a statement, its round trip and its commit.
  const exchange = createBatcher((exchanges: readonly CodeExchange[]) =>
    retryOnConflict(() => exchangeCodes(database, exchanges)),
  )

  /** @throws TokenRefusal invalid_grant, invalid_request, invalid_target, unauthorized_client */
  return async (request: CodeRequest): Promise<TokenResponse> => {
    const { client, now, requestId, code, redirectUri, codeVerifier, resource } = request
    const codeHash = readTokenOf('authorizationCode', code)
    if (codeHash === undefined) {
      throw new TokenRefusal('invalid_grant', describeOtherToken('code', 'authorizationCode', code), { isExact: true })
    }

    const challenge = challengeOf(codeVerifier)
    const pair = newPair(random)
    const issued = await exchange({ codeHash, client, redirectUri, challenge, resource, pair, now })
    if (issued !== undefined) return { ...issued, pair }

    const found = await findCode(database, codeHash, client)
    const failed = classifyFailedExchange(found, { redirectUri, challenge, resource }, now)
    switch (failed.kind) {
      case 'refused':
        throw new TokenRefusal(failed.error, failed.cause)
      case 'replay': {
        const replay = { familyId: found?.familyId, kind: 'code_replayed', cause: failed.cause } as const
        await endReplayedFamily(database, random, { ...replay, client, now, requestId })
        throw new TokenRefusal('invalid_grant', failed.cause, { event: null })
      }
    }
  }
}

/** S256 (RFC 7636, 4.6). A malformed verifier matches no challenge. */
function challengeOf(verifier: string | undefined): string | undefined {
  if (verifier === undefined) return undefined
  return isCodeVerifier(verifier) ? hash('sha256', verifier, 'base64url') : 'mismatch'
}

/** Generate the first pair of a family. */
const newPair = (random: Random): TokenPair => ({
  access: tokenOf('oauthAccess', random.bytes(32)),
  refresh: tokenOf('oauthRefresh', random.bytes(32)),
})
