import { readHealth } from '@parley/contract'
import type { Service } from '../access/service.ts'

/** Report only that the process responds: an unavailable database is no reason to restart it. */
export function serveReadHealth({ serve }: Service) {
  serve(readHealth, { handle: async () => ({ status: 'alive' }) })
}
