import { exchangeToken, type ReplyOf } from '@parley/contract'
import { readResource } from '@parley/rules/oauth/resource'
import { writeScopes } from '@parley/rules/oauth/scope-set'
import { readTokenRequest } from '@parley/rules/oauth/token-request'
import type { Exchanged } from './exchange.ts'
import { exchangeCode } from './exchange-code.ts'
import { exchangeRefreshToken } from './exchange-refresh-token.ts'
import { TokenRefusal } from './token-errors.ts'
import type { TokenService } from './token-service.ts'

/** Serve the token endpoint: codes and refresh tokens (RFC 6749, 4.1.3 and 6), for a resource (RFC 8707, 2.2). */
export function serveExchangeToken(service: TokenService) {
  service.serveClient(exchangeToken, async ({ form, ...exchange }) => {
    const request = readTokenRequest(form)
    if (request.kind === 'refused') throw new TokenRefusal(request.error, request.cause, { isExact: true })
    const target = readResource([form.resource ?? ''], service.config.baseUrl)
    if (target.kind === 'refused') {
      throw new TokenRefusal('invalid_target', `${target.cause}.`, { isExact: true })
    }
    const { resource } = target
    switch (request.kind) {
      case 'code':
        return toReply(await exchangeCode(service, exchange, { ...request, resource }), exchange.now)
      case 'refresh':
        return toReply(await exchangeRefreshToken(service, exchange, { ...request, resource }), exchange.now)
    }
  })
}

const toReply = ({ pair, scopes, expiresAt }: Exchanged, now: Date): ReplyOf<typeof exchangeToken> => ({
  access_token: pair.access.token,
  token_type: 'Bearer',
  expires_in: Math.max(0, Math.floor((expiresAt.getTime() - now.getTime()) / 1000)),
  refresh_token: pair.refresh.token,
  scope: writeScopes(scopes),
})
