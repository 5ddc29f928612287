import type { Logger } from 'pino'
import { codeOf, messageOf } from '../errors.ts'
import { createLogLineLimit } from '../log.ts'
import { type DatabaseFailureCause, readDatabaseFailure } from './database-failure.ts'

/** How long a failure that only writes reveal counts as current. */
const recentMs = 15_000

export type DatabaseFailureLog = {
  /**
   * Log a database failure: one line a second for each cause, with the number of failures since the last line. Return
   * false for other errors, which the caller logs.
   */
  report(error: unknown, context?: { requestId?: string }): boolean
  /** The causes of the last 15 s, for the health endpoint. */
  recentCauses(): DatabaseFailureCause[]
  /** The number of failures of a cause since the start. */
  countOf(cause: DatabaseFailureCause): number
}

type Entry = { reportedAt: number; count: number }

/** Create the log of database failures. `now` is monotonic, in milliseconds. */
export function createDatabaseFailureLog(
  log: Logger,
  { now = () => performance.now() }: { now?: () => number } = {},
): DatabaseFailureLog {
  const entries = new Map<DatabaseFailureCause, Entry>()
  const lineLimit = createLogLineLimit({ now })
  return {
    report(error, context = {}) {
      const failure = readDatabaseFailure(error)
      if (failure === undefined) return false
      const { cause } = failure
      entries.set(cause, { reportedAt: now(), count: (entries.get(cause)?.count ?? 0) + 1 })
      const line = lineLimit.admit(cause)
      if (line === undefined) return true
      log.error(
        { failure: cause, reason: reasonOf(error), ...line, ...context },
        cause === 'busy'
          ? 'no connection to the database became free in time: requests that waited for one are answered 503'
          : 'the database cannot be used: requests that need it are answered 503, and events wait',
      )
      return true
    },
    recentCauses: () =>
      [...entries].filter(([, { reportedAt }]) => now() - reportedAt < recentMs).map(([cause]) => cause),
    countOf: (cause) => entries.get(cause)?.count ?? 0,
  }
}

/** The message of PostgreSQL or the driver, which contains no values of ours; the stack would only show the pool. */
function reasonOf(error: unknown): string {
  const [code, message] = [codeOf(error), messageOf(error)]
  return code === '' ? message : `${code}: ${message}`
}
