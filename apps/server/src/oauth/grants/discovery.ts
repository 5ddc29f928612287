import {
  exchangeToken,
  introspectToken,
  listScopes,
  readMcpResourceMetadata,
  readOpenidConfiguration,
  readResourceMetadata,
  readServerMetadata,
  readUserProfile,
  revokeToken,
  scopeNames,
} from '@parley/contract'
import { type Resource, resourceIdentifier } from '@parley/rules/oauth/resource'
import type { Config } from '../../platform/config/config.ts'
import { textsIn, wholeKey } from '../../platform/texts.ts'
import type { Dependencies } from '../dependencies.ts'
import { registrationPath } from '../token/registration.ts'

/** Register the documents in which clients find the authorization server, the protected resources and the scopes. */
export function registerDiscovery({ serve, config }: Pick<Dependencies, 'serve' | 'config'>): void {
  const server = describeServer(config)
  serve(readServerMetadata, { handle: async () => server })
  // For clients that know only the path of OpenID Connect (RFC 8414, 5). The document promises no feature of OpenID
  // Connect.
  serve(readOpenidConfiguration, { handle: async () => server })
  // The challenges of refusals lead to the metadata of the API and of the MCP server.
  const [api, mcp] = [describeResource('api', config.baseUrl), describeResource('mcp', config.baseUrl)]
  serve(readResourceMetadata, { handle: async () => api })
  serve(readMcpResourceMetadata, { handle: async () => mcp })
  const sentenceOf = textsIn('en', 'scopes')
  serve(listScopes, {
    handle: async () => ({
      scopes: scopeNames.map((scope) => ({ scope, description: sentenceOf(scope, wholeKey) })),
    }),
  })
}

const secretMethods = ['client_secret_basic', 'client_secret_post']
/** `none` is for public clients. */
const clientMethods = [...secretMethods, 'none']

/** Describe the authorization server to clients (RFC 8414, 2). */
const describeServer = ({ baseUrl, agents }: Pick<Config, 'baseUrl' | 'agents'>) => ({
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
  introspection_endpoint_auth_methods_supported: secretMethods,
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  ...(agents.registration === 'on' && { registration_endpoint: baseUrl + registrationPath }),
  ...(agents.clients !== 'off' && { client_id_metadata_document_supported: true }),
  service_documentation: `${baseUrl}/reference`,
})

/** Describe a protected resource to clients (RFC 9728, 2). */
const describeResource = (resource: Resource, baseUrl: string) => ({
  resource: resourceIdentifier(resource, baseUrl),
  authorization_servers: [baseUrl],
  scopes_supported: [...scopeNames],
  bearer_methods_supported: ['header'],
  resource_documentation: `${baseUrl}${resource === 'api' ? '/reference' : '/docs/assistants'}`,
})
