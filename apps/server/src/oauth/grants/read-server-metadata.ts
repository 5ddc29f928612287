import { readServerMetadata } from '@parley/contract'
import type { Service } from '../../access/service.ts'
import { describeServer } from './server-metadata.ts'

/** Serve the authorization server metadata (RFC 8414). */
export function serveReadServerMetadata({ serve, config }: Service) {
  const metadata = describeServer(config)
  serve(readServerMetadata, { handle: async () => metadata })
}
