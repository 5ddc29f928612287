import { introspectToken } from '@parley/contract'
import { resourceIdentifier } from '@parley/rules/oauth/resource'
import { writeScopes } from '@parley/rules/oauth/scope-set'
import { readAppToken } from './app-token.ts'
import type { TokenService } from './token-service.ts'
import { findLiveToken } from './token-store.ts'

/**
 * Introspect a token (RFC 7662). Tokens of other apps are reported as not active. Public clients are refused, because
 * introspection requires authentication (2.1).
 */
export function serveIntrospectToken({ serveClient, database, config }: TokenService) {
  serveClient(
    introspectToken,
    async ({ client, form, now }) => {
      const token = readAppToken(form.token)
      const found = token && (await findLiveToken(database, { ...token, client, now }))
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
