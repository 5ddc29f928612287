import { readDatabaseHealth } from '@parley/contract'
import type { Pool } from 'pg'
import type { Service } from '../access/service.ts'
import { createFindDatabaseState } from '../platform/database/check-server.ts'
import { problem } from '../platform/http/problem.ts'

/** Report whether the database responds, accepts writes, and has not recently failed for lack of resources. */
export function serveReadDatabaseHealth({ serve, databaseFailures }: Service, pool: Pool) {
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
