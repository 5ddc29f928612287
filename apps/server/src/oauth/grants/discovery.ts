import {
  exchangeToken,
  introspectToken,
  readOpenidConfiguration,
  readResourceMetadata,
  readServerMetadata,
  readUserProfile,
  revokeToken,
  scopeNames,
} from '@parley/contract'
import type { Service } from '../../access/service.ts'

const clientMethods = ['client_secret_basic', 'client_secret_post']

/** Serve the authorization server metadata (RFC 8414), at two paths, and the protected resource metadata (RFC 9728). */
export function serveDiscovery({ serve, config: { baseUrl } }: Service) {
  const server = {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth2/authorize`,
    token_endpoint: baseUrl + exchangeToken.path,
    revocation_endpoint: baseUrl + revokeToken.path,
    introspection_endpoint: baseUrl + introspectToken.path,
    userinfo_endpoint: baseUrl + readUserProfile.path,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    scopes_supported: [...scopeNames],
    token_endpoint_auth_methods_supported: clientMethods,
    revocation_endpoint_auth_methods_supported: clientMethods,
    introspection_endpoint_auth_methods_supported: clientMethods,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${baseUrl}/reference`,
  }
  serve(readServerMetadata, { handle: async () => server })
  serve(readOpenidConfiguration, { handle: async () => server })

  const resource = {
    resource: baseUrl,
    authorization_servers: [baseUrl],
    scopes_supported: [...scopeNames],
    bearer_methods_supported: ['header'],
    resource_documentation: `${baseUrl}/reference`,
  }
  serve(readResourceMetadata, { handle: async () => resource })
}
