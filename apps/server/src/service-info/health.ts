import { readDatabaseHealth, readHealth, readReadiness } from '@parley/contract'
import type { Access } from '../access/access.ts'
import { createFindDatabaseState } from '../platform/database/check-server.ts'
import { problem } from '../platform/http/problem.ts'
import type { Platform } from '../platform/platform.ts'

/** Report only that the process responds: an unavailable database is no reason to restart it. */
export function serveReadHealth({ serve }: Pick<Access, 'serve'>) {
  serve(readHealth, { handle: async () => ({ status: 'alive' }) })
}

/**
 * Report whether a proxy should send requests to this instance. The instance listens only once the database is migrated
 * and jobs run, and a response proves that its event loop runs. The database is not checked: all instances share it, so
 * all would leave the proxy at once, and clients would get the proxy's own error instead of ours with its Retry-After.
 */
export function serveReadReadiness({ serve }: Pick<Access, 'serve'>, isDraining: () => boolean) {
  serve(readReadiness, {
    handle: async () => {
      if (isDraining()) {
        throw problem('unavailable', { detail: 'The service is shutting down.', retryAfterSeconds: 1 })
      }
      return { status: 'ready' }
    },
  })
}

/** Report whether the database responds, accepts writes, and has not recently failed for lack of resources. */
export function serveReadDatabaseHealth({
  serve,
  databaseFailures,
  pool,
}: Pick<Access, 'serve'> & Pick<Platform, 'databaseFailures' | 'pool'>) {
  const findState = createFindDatabaseState(pool)
  serve(readDatabaseHealth, {
    handle: async () => {
      const state = await findState()
      if (state === 'away') throw unhealthy('The database does not answer.')
      if (state === 'read-only') throw unhealthy('The database takes no writes: it is read-only or a standby.')
      const causes = databaseFailures.recentCauses()
      if (causes.includes('out-of-resources') || causes.includes('system-error')) {
        throw unhealthy(
          'In the last seconds the database failed for want of disk, memory or connections, or by an I/O error.',
        )
      }
      return { status: 'ok' }
    },
  })
}

const unhealthy = (detail: string) => problem('unavailable', { detail, retryAfterSeconds: 2 })
