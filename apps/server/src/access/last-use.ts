import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../../migrations/tables.ts'
import type { Clock } from '../platform/clock.ts'

/** Exact enough for "last used", and a fraction of the writes: a script that calls each second writes 12 times an hour. */
export const lastUseGranularityMs = 5 * 60 * 1000

/** Uses are gathered this long and written in one statement. */
const gatheringMs = 1_000

/** More different callers than an instance serves in a second; what is beyond is noted at its next use. */
const mostGathered = 10_000

export type LastUse = {
  /** Notes that a credential was used; never fails and never waits. */
  note(table: 'session' | 'personalToken', row: { id: string; last_used_at: Date | null }): void
  /** Writes what is gathered, at once. Call it before the database is closed. */
  flush(): Promise<void>
}

/** Writes when sessions and tokens were last used, off the path of the requests that use them. */
export function createLastUse(options: { database: Database; clock: Clock; log: Logger }): LastUse {
  const { database, clock, log } = options
  let gathered = { session: new Set<string>(), personalToken: new Set<string>() }
  let timer: NodeJS.Timeout | undefined

  async function flush() {
    clearTimeout(timer)
    timer = undefined
    const { session, personalToken } = gathered
    gathered = { session: new Set(), personalToken: new Set() }
    try {
      if (session.size > 0) await write('session', [...session])
      if (personalToken.size > 0) await write('personal_token', [...personalToken])
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
      if (elapsedMs < lastUseGranularityMs || gathered[table].size >= mostGathered) return
      gathered[table].add(id)
      timer ??= setTimeout(() => void flush(), gatheringMs).unref()
    },
    flush,
  }
}
