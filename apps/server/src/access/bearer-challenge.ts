import type { Scope } from '@parley/contract'
import type { Resource } from '@parley/rules/oauth/resource'

/** Where the metadata of each resource is (RFC 9728, 3.1). */
const metadataPaths: Record<Resource, string> = {
  api: '/.well-known/oauth-protected-resource',
  mcp: '/.well-known/oauth-protected-resource/mcp',
}

/**
 * What a client without a usable token should request first. The API has endpoints for each scope; the first calls of
 * an MCP client need this scope, and a tool that needs more scopes reports them.
 */
const firstScopes: Record<Resource, Scope | undefined> = { api: undefined, mcp: 'meeting:read' }

/** The resource that refuses a request. */
export type ChallengingResource = { baseUrl: string; resource: Resource }

/**
 * Build a WWW-Authenticate challenge (RFC 6750, 3), without `error` when the request carried no token. The challenge
 * links to the protected resource metadata (RFC 9728, 5.1). The description holds no quotation marks and no
 * backslashes.
 */
export function bearerChallenge(
  { baseUrl, resource }: ChallengingResource,
  error?: 'invalid_token' | 'insufficient_scope',
  scope: string | undefined = firstScopes[resource],
  description?: string,
) {
  const parameters = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(description === undefined ? [] : [`error_description="${description}"`]),
    ...(scope === undefined ? [] : [`scope="${scope}"`]),
    `resource_metadata="${baseUrl}${metadataPaths[resource]}"`,
  ]
  return `Bearer ${parameters.join(', ')}`
}
