import { exchangeToken, type ReplyOf } from '@parley/contract'
import { readResource } from '@parley/rules/oauth/resource'
import { writeScopes } from '@parley/rules/oauth/scope-set'
import { readTokenRequest } from '@parley/rules/oauth/token-request'
import type { Dependencies } from '../dependencies.ts'
import type { ServeClient } from './client-endpoint.ts'
import { createCodeGrant } from './code-grant.ts'
import { createRefreshGrant } from './refresh-grant.ts'
import { TokenRefusal } from './token-errors.ts'
import type { TokenResponse } from './token-store.ts'

/** Register the token endpoint: codes and refresh tokens (RFC 6749, 4.1.3 and 6), for a resource (RFC 8707, 2.2). */
export function registerTokenEndpoint(serveClient: ServeClient, dependencies: Dependencies): void {
  const { baseUrl } = dependencies.config
  const exchangeCode = createCodeGrant(dependencies)
  const refresh = createRefreshGrant(dependencies)

  serveClient(exchangeToken, async ({ form, ...clientRequest }) => {
    const request = readTokenRequest(form)
    if (request.kind === 'refused') throw new TokenRefusal(request.error, request.cause, { isExact: true })
    const target = readResource([form.resource ?? ''], baseUrl)
    if (target.kind === 'refused') {
      throw new TokenRefusal('invalid_target', `${target.cause}.`, { isExact: true })
    }
    const { resource } = target
    const { now } = clientRequest
    switch (request.kind) {
      case 'code':
        return toReply(await exchangeCode({ ...clientRequest, ...request, resource }), now)
      case 'refresh':
        return toReply(await refresh({ ...clientRequest, ...request, resource }), now)
    }
  })
}

const toReply = ({ pair, scopes, expiresAt }: TokenResponse, now: Date): ReplyOf<typeof exchangeToken> => ({
  access_token: pair.access.token,
  token_type: 'Bearer',
  expires_in: Math.max(0, Math.floor((expiresAt.getTime() - now.getTime()) / 1000)),
  refresh_token: pair.refresh.token,
  scope: writeScopes(scopes),
})
