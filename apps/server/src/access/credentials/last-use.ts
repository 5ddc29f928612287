import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { createDelayedFlush } from '../../platform/delayed-flush.ts'

/**
 * Exact enough for "last used", at a fraction of the writes: a script that calls each second causes 12 writes an hour.
 */
const lastUseGranularityMs = 5 * 60 * 1000

/** Administrators look for unused accounts. An hour is exact enough for them, and keeps writes to these rows rare. */
const lastSeenGranularityMs = 60 * 60 * 1000

/** Collect uses for this long and write them in one statement. */
const flushDelayMs = 1_000

/** More callers than an instance serves in a second; further uses are recorded at the next request of the caller. */
const maxPendingUses = 10_000

/** The rows whose last use is shown to people: that of an account is when its person was last seen. */
const uses = {
  session: { table: 'session', column: 'last_used_at', granularityMs: lastUseGranularityMs },
  personalToken: { table: 'personal_token', column: 'last_used_at', granularityMs: lastUseGranularityMs },
  appGrant: { table: 'app_grant', column: 'last_used_at', granularityMs: lastUseGranularityMs },
  appSecret: { table: 'app_secret', column: 'last_used_at', granularityMs: lastUseGranularityMs },
  account: { table: 'account', column: 'last_seen_at', granularityMs: lastSeenGranularityMs },
}
export type UsedTable = keyof typeof uses

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
    const pending = pendingUses
    pendingUses = noUses()
    try {
      for (const used of Object.keys(uses) as UsedTable[]) {
        if (pending[used].size > 0) await write(used, [...pending[used]])
      }
    } catch (error) {
      log.warn({ err: error }, 'failed to record when credentials were last used')
    }
  }

  async function write(used: UsedTable, ids: string[]) {
    const { table, granularityMs } = uses[used]
    const column = sql.ref(uses[used].column)
    const now = clock.now()
    // Another instance may have written in the meantime.
    const before = new Date(now.getTime() - granularityMs)
    await sql`update ${sql.table(table)} set ${column} = ${now}
      where id = any(${ids}::uuid[]) and (${column} is null or ${column} <= ${before})`.execute(database)
  }

  return {
    record(used, { id, lastUsedAt }) {
      const elapsedMs = lastUsedAt === null ? Number.POSITIVE_INFINITY : clock.now().getTime() - lastUsedAt.getTime()
      if (elapsedMs < uses[used].granularityMs || pendingUses[used].size >= maxPendingUses) return
      pendingUses[used].add(id)
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
  account: new Set(),
})
