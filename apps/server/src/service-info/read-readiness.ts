import { readReadiness } from '@parley/contract'
import type { Service } from '../access/service.ts'
import { problem } from '../platform/http/problem.ts'

/**
 * Say whether a proxy should send requests to this instance. It listens only once the database is migrated and jobs run,
 * and an answer proves that its event loop turns. The database is not asked: all instances share it, would leave the proxy
 * at once, and clients would get the proxy's own error in place of ours with its Retry-After (docs/decisions/0085).
 */
export function serveReadReadiness({ serve }: Service, isDraining: () => boolean) {
  serve(readReadiness, async () => {
    if (isDraining()) {
      throw problem('unavailable', { detail: 'The service is shutting down.', headers: { 'retry-after': '1' } })
    }
    return { status: 'ready' }
  })
}
