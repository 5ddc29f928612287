import type { Service } from '../../access/service.ts'
import { serveExchangeToken } from '../token/exchange-token.ts'
import { serveIntrospectToken } from '../token/introspect-token.ts'
import { serveRevokeToken } from '../token/revoke-token.ts'
import { createTokenService, type TokenServiceParts } from '../token/token-service.ts'
import { serveDiscovery } from './discovery.ts'
import { serveListGrants } from './list-grants.ts'
import { serveListScopes } from './list-scopes.ts'
import { serveReadUserProfile } from './read-user-profile.ts'
import { serveRevokeGrant } from './revoke-grant.ts'

/** What apps ask, and what people ask about the apps they have connected. */
export function serveTokens(service: Service, parts: TokenServiceParts): { flush(): Promise<void> } {
  const tokens = createTokenService(service, parts)
  serveExchangeToken(tokens)
  serveRevokeToken(tokens)
  serveIntrospectToken(tokens)
  serveDiscovery(service)
  serveReadUserProfile(service)
  serveListScopes(service)
  serveListGrants(service)
  serveRevokeGrant(service)
  return tokens.refusalLog
}
