import { scopeNames } from '@parley/contract'
import { type Resource, resourceIdentifier } from '@parley/rules/oauth/resource'

/** Describe a protected resource to clients (RFC 9728, 2). */
export const describeResource = (resource: Resource, baseUrl: string) => ({
  resource: resourceIdentifier(resource, baseUrl),
  authorization_servers: [baseUrl],
  scopes_supported: [...scopeNames],
  bearer_methods_supported: ['header'],
  resource_documentation: `${baseUrl}${resource === 'api' ? '/reference' : '/docs/assistants'}`,
})
