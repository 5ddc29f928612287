import { readReadiness } from '@parley/contract'
import type { Service } from '../access/service.ts'
import { problem } from '../platform/http/problem.ts'

/**
 * Report whether a proxy should send requests to this instance. It listens only once the database is migrated and jobs
 * run, and a response proves that its event loop runs. The database is not checked: all instances share it, so all
 * would leave the proxy at once, and clients would get the proxy's own error instead of ours with its Retry-After
 * (docs/decisions/0085).
 */
export function serveReadReadiness({ serve }: Service, isDraining: () => boolean) {
  serve(readReadiness, {
    handle: async () => {
      if (isDraining()) {
        throw problem('unavailable', { detail: 'The service is shutting down.', retryAfterSeconds: 1 })
      }
      return { status: 'ready' }
    },
  })
}
