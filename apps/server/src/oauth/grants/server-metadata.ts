import { exchangeToken, introspectToken, readUserProfile, revokeToken, scopeNames } from '@parley/contract'
import type { Config } from '../../platform/config/config.ts'
import { registrationPath } from '../token/register-client.ts'

const secretMethods = ['client_secret_basic', 'client_secret_post']
/** `none` is for public clients. */
const clientMethods = [...secretMethods, 'none']

/** Describe the authorization server to clients (RFC 8414, 2). */
export const describeServer = ({ baseUrl, agents }: Pick<Config, 'baseUrl' | 'agents'>) => ({
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
