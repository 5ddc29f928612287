import { readResourceMetadata } from '@parley/contract'
import type { Service } from '../../access/service.ts'
import { describeResource } from './resource-metadata.ts'

/** Serve the metadata of the API as a protected resource (RFC 9728), to which the challenge of a refusal leads. */
export function serveReadResourceMetadata({ serve, config }: Service) {
  const metadata = describeResource('api', config.baseUrl)
  serve(readResourceMetadata, { handle: async () => metadata })
}
