import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../tables/tables.ts'

/** Exact enough for "last used", and a fraction of the writes: a script that calls each second writes 12 times an hour. */
export const lastUseGranularityMs = 5 * 60 * 1000

/** Uses are gathered this long and written in one statement. */
const gatheringMs = 1_000

/** More different callers than an instance serves in a second; what is beyond is noted at its next use. */
const maxGathered = 10_000

/** What is shown to somebody with the time of its last use. */
export type UsedTable = 'session' | 'personalToken' | 'appGrant' | 'appSecret'

const tableNames = {
  session: 'session',
  personalToken: 'personal_token',
  appGrant: 'app_grant',
  appSecret: 'app_secret',
}

export type LastUse = {
  /** Notes that a credential was used; never fails and never waits. */
  note(table: UsedTable, row: { id: string; last_used_at: Date | null }): void
  /** Writes what is gathered, at once. Call it before the database is closed. */
  flush(): Promise<void>
}

/** Writes when sessions and tokens were last used, off the path of the requests that use them. */
export function createLastUse(options: { database: Database; clock: Clock; log: Logger }): LastUse {
  const { database, clock, log } = options
  let gathered = noUses()
  let timer: NodeJS.Timeout | undefined

  async function flush() {
    clearTimeout(timer)
    timer = undefined
    const uses = gathered
    gathered = noUses()
    try {
      for (const table of Object.keys(tableNames) as UsedTable[]) {
        if (uses[table].size > 0) await write(tableNames[table], [...uses[table]])
      }
    } catch (error) {
      log.warn({ err: error }, 'when tokens were last used could not be written')
    }
  }

  const write = (table: string, ids: string[]) =>
    sql`update ${sql.table(table)} set last_used_at = ${clock.now()} where id = any(${ids}::uuid[])`.execute(database)

  return {
    note(table, { id, last_used_at }) {
      const elapsedMs =
        last_used_at === null ? Number.POSITIVE_INFINITY : clock.now().getTime() - last_used_at.getTime()
      if (elapsedMs < lastUseGranularityMs || gathered[table].size >= maxGathered) return
      gathered[table].add(id)
      timer ??= setTimeout(() => void flush(), gatheringMs).unref()
    },
    flush,
  }
}

const noUses = (): Record<UsedTable, Set<string>> => ({
  ...{ session: new Set(), personalToken: new Set(), appGrant: new Set(), appSecret: new Set() },
})
