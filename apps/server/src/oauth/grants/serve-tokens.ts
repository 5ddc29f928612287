import type { Service } from '../../access/service.ts'
import { serveExchangeToken } from '../token/exchange-token.ts'
import { serveIntrospectToken } from '../token/introspect-token.ts'
import { serveRevokeToken } from '../token/revoke-token.ts'
import { createTokenService, type TokenServiceDependencies } from '../token/token-service.ts'
import { serveListGrants } from './list-grants.ts'
import { serveListScopes } from './list-scopes.ts'
import { serveReadMcpResourceMetadata } from './read-mcp-resource-metadata.ts'
import { serveReadOpenidConfiguration } from './read-openid-configuration.ts'
import { serveReadResourceMetadata } from './read-resource-metadata.ts'
import { serveReadServerMetadata } from './read-server-metadata.ts'
import { serveReadUserProfile } from './read-user-profile.ts'
import { serveRevokeGrant } from './revoke-grant.ts'

/** Register the endpoints for clients, and those for people about their connected apps. */
export function serveTokens(service: Service & TokenServiceDependencies): void {
  const tokens = createTokenService(service)
  serveExchangeToken(tokens)
  serveRevokeToken(tokens)
  serveIntrospectToken(tokens)
  serveReadServerMetadata(service)
  serveReadOpenidConfiguration(service)
  serveReadResourceMetadata(service)
  serveReadMcpResourceMetadata(service)
  serveReadUserProfile(service)
  serveListScopes(service)
  serveListGrants(service)
  serveRevokeGrant(service)
}
