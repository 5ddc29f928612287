import { introspectToken, revokeToken } from '@parley/contract'
import { resourceIdentifier } from '@parley/rules/oauth/resource'
import { writeScopes } from '@parley/rules/oauth/scope-set'
import { readToken } from '../../access/credentials/token-secret.ts'
import { createBatcher } from '../../platform/database/batch.ts'
import type { Dependencies } from '../dependencies.ts'
import type { ServeClient } from './client-endpoint.ts'
import { TokenRefusal } from './token-errors.ts'
import { findLiveTokens, revokeOwnToken, type TokenKindOfApps, type TokenLookUp } from './token-store.ts'

/** Register the revocation (RFC 7009) and the introspection (RFC 7662) of tokens. */
export function registerRevocation(serveClient: ServeClient, { database, config }: Dependencies): void {
  // The reply is the same for a token that is unknown, ended, or another app's (RFC 7009, 2.2).
  serveClient(revokeToken, async ({ client, form, now }) => {
    const token = readAppToken(form.token)
    if (token !== undefined) await revokeOwnToken(database, { ...token, client, now })
    return {}
  })

  // Concurrent requests share a statement.
  const findBy = (kind: TokenKindOfApps) =>
    createBatcher((lookUps: readonly TokenLookUp[]) => findLiveTokens(database, kind, lookUps))
  const find = { oauthAccess: findBy('oauthAccess'), oauthRefresh: findBy('oauthRefresh') }

  // Tokens of other apps are reported as not active. Public clients are refused, because introspection requires
  // authentication (RFC 7662, 2.1).
  serveClient(
    introspectToken,
    async ({ client, form, now }) => {
      const token = readAppToken(form.token)
      const found = token && (await find[token.kind]({ hash: token.hash, client, now }))
      if (token === undefined || found === undefined) return { active: false }
      return {
        active: true,
        scope: writeScopes(found.scopes),
        client_id: client.clientId,
        token_type: token.kind === 'oauthAccess' ? 'Bearer' : 'refresh_token',
        exp: secondsOf(found.expiresAt),
        iat: secondsOf(found.createdAt),
        sub: found.accountId,
        iss: config.baseUrl,
        ...(found.resource !== null && { aud: resourceIdentifier(found.resource, config.baseUrl) }),
      }
    },
    { confidentialOnly: true },
  )
}

const secondsOf = (time: Date) => Math.floor(time.getTime() / 1000)

/**
 * Read the `token` field of a form. The prefix marks the kind of the token, so that `token_type_hint` is not needed
 * (RFC 7009, 2.1). Undefined for any other text. @throws TokenRefusal invalid_request when it is missing
 */
function readAppToken(text: string | undefined): { kind: TokenKindOfApps; hash: Buffer } | undefined {
  if (text === undefined) throw new TokenRefusal('invalid_request', 'token is missing.', { isExact: true })
  const token = readToken(text)
  if (token?.kind !== 'oauthAccess' && token?.kind !== 'oauthRefresh') return undefined
  return { kind: token.kind, hash: token.hash }
}
