import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { createDelayedFlush } from '../../platform/delayed-flush.ts'

/**
 * Exact enough for "last used", at a fraction of the writes: a script that calls each second causes 12 writes an hour.
 */
const lastUseGranularityMs = 5 * 60 * 1000

/** Collect uses for this long and write them in one statement. */
const flushDelayMs = 1_000

/** More callers than an instance serves in a second; further uses are recorded at the next request of the caller. */
const maxPending = 10_000

/** Tables whose last use is shown to people. */
export type UsedTable = 'session' | 'personalToken' | 'appGrant' | 'appSecret'

const tableNames = {
  session: 'session',
  personalToken: 'personal_token',
  appGrant: 'app_grant',
  appSecret: 'app_secret',
}

export type LastUse = {
  /** Record that a credential was used. Never throws, never waits. */
  record(table: UsedTable, row: { id: string; lastUsedAt: Date | null }): void
  /** Write the pending uses now. Call it before the database is closed. */
  flush(): Promise<void>
}

/** Record when sessions and tokens were last used, outside the requests that use them. */
export function createLastUse(options: { database: Database; clock: Clock; log: Logger }): LastUse {
  const { database, clock, log } = options
  let pendingUses = noUses()

  const { schedule, flush } = createDelayedFlush(flushDelayMs, writePending)

  async function writePending() {
    const uses = pendingUses
    pendingUses = noUses()
    try {
      for (const table of Object.keys(tableNames) as UsedTable[]) {
        if (uses[table].size > 0) await write(tableNames[table], [...uses[table]])
      }
    } catch (error) {
      log.warn({ err: error }, 'failed to record when credentials were last used')
    }
  }

  const write = (table: string, ids: string[]) =>
    sql`update ${sql.table(table)} set last_used_at = ${clock.now()} where id = any(${ids}::uuid[])`.execute(database)

  return {
    record(table, { id, lastUsedAt }) {
      const elapsedMs = lastUsedAt === null ? Number.POSITIVE_INFINITY : clock.now().getTime() - lastUsedAt.getTime()
      if (elapsedMs < lastUseGranularityMs || pendingUses[table].size >= maxPending) return
      pendingUses[table].add(id)
      schedule()
    },
    flush,
  }
}

const noUses = (): Record<UsedTable, Set<string>> => ({
  session: new Set(),
  personalToken: new Set(),
  appGrant: new Set(),
  appSecret: new Set(),
})
