import { readMcpResourceMetadata } from '@parley/contract'
import type { Service } from '../../access/service.ts'
import { describeResource } from './resource-metadata.ts'

/** Serve the metadata of the MCP server as a protected resource (RFC 9728), to which its challenge leads. */
export function serveReadMcpResourceMetadata({ serve, config }: Service) {
  const metadata = describeResource('mcp', config.baseUrl)
  serve(readMcpResourceMetadata, { handle: async () => metadata })
}
