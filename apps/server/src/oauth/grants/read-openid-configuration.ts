import { readOpenidConfiguration } from '@parley/contract'
import type { Service } from '../../access/service.ts'
import { describeServer } from './server-metadata.ts'

/** Serve the authorization server metadata at the path of OpenID Connect, for clients that know only that one. */
export function serveReadOpenidConfiguration({ serve, config }: Service) {
  const metadata = describeServer(config)
  serve(readOpenidConfiguration, { handle: async () => metadata })
}
