import { readResourceMetadata, scopeNames } from '@parley/contract'
import type { Service } from '../../access/service.ts'

/** Serve the protected resource metadata (RFC 9728), to which the challenge of a refusal leads. */
export function serveReadResourceMetadata({ serve, config: { baseUrl } }: Service) {
  const metadata = {
    resource: baseUrl,
    authorization_servers: [baseUrl],
    scopes_supported: [...scopeNames],
    bearer_methods_supported: ['header'],
    resource_documentation: `${baseUrl}/reference`,
  }
  serve(readResourceMetadata, { handle: async () => metadata })
}
