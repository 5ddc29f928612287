import type { Logger } from 'pino'
import { type DatabaseFailureCause, readDatabaseFailure } from './database-failure.ts'

/** A failover or a full disk fails every request: a line for each would fill the disk in turn. */
const lineEveryMs = 1_000
/** For so long a failure that only a write can notice counts as present. */
const recentMs = 15_000

export type DatabaseFailureLog = {
  /**
   * Log an error that is a failure of the database, one line a second for each cause with the number of those since the
   * last line. Returns false for any other error, which the caller logs.
   */
  report(error: unknown, context?: { requestId?: string }): boolean
  /** The causes of the last 15 s, as health reports them. */
  recentCauses(): DatabaseFailureCause[]
  /** How many failures of a cause were reported since the start. */
  countOf(cause: DatabaseFailureCause): number
}

type Entry = { reportedAt: number; loggedAt: number; unlogged: number; count: number }

/** Report failures of the database. `now` is in milliseconds and never goes back. */
export function createDatabaseFailureLog(
  log: Logger,
  { now = () => performance.now() }: { now?: () => number } = {},
): DatabaseFailureLog {
  const entries = new Map<DatabaseFailureCause, Entry>()
  return {
    report(error, context = {}) {
      const failure = readDatabaseFailure(error)
      if (failure === undefined) return false
      const { cause } = failure
      const at = now()
      const entry = entries.get(cause) ?? { reportedAt: at, loggedAt: Number.NEGATIVE_INFINITY, unlogged: 0, count: 0 }
      entries.set(cause, entry)
      entry.reportedAt = at
      entry.count++
      if (at - entry.loggedAt < lineEveryMs) {
        entry.unlogged++
        return true
      }
      log.error(
        { failure: cause, reason: reasonOf(error), unlogged: entry.unlogged, ...context },
        'the database cannot serve a request, which is answered 503',
      )
      entry.loggedAt = at
      entry.unlogged = 0
      return true
    },
    recentCauses: () =>
      [...entries].filter(([, { reportedAt }]) => now() - reportedAt < recentMs).map(([cause]) => cause),
    countOf: (cause) => entries.get(cause)?.count ?? 0,
  }
}

/** PostgreSQL's or the driver's own words, which hold no values of ours; the stack would be the pool's. */
function reasonOf(error: unknown): string {
  const { code } = Object(error) as { code?: unknown }
  const message = error instanceof Error ? error.message : String(error)
  return typeof code === 'string' ? `${code}: ${message}` : message
}
