import type { AttemptLimits, LimitName } from '../../accounts/sign-in/attempt-limits.ts'
import { ProblemError } from '../../platform/http/problem.ts'

/** The seconds until `attempt` may be made again; undefined if it was within its limit. */
export async function retryAfterOf(attempt: () => Promise<unknown>): Promise<number | undefined> {
  try {
    await attempt()
    return undefined
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'too_many_requests') throw error
    return Number(error.headers['retry-after'] ?? 1)
  }
}

/** The counters of one kind of failure. A further attempt must be within the limit of each. */
export type FailureCounters = readonly (readonly [LimitName, string])[]

/** The seconds until a further attempt is allowed; undefined if it is allowed now. */
export const findPause = (limits: AttemptLimits, counters: FailureCounters): Promise<number | undefined> =>
  maxPause(counters.map(([limit, key]) => retryAfterOf(() => limits.require(limit, key))))

/** Count a failure in each counter. Returns a pause in seconds if concurrent attempts have exceeded a limit. */
export const countFailure = (limits: AttemptLimits, counters: FailureCounters): Promise<number | undefined> =>
  maxPause(counters.map(([limit, key]) => retryAfterOf(() => limits.count(limit, key))))

async function maxPause(pauses: readonly Promise<number | undefined>[]): Promise<number | undefined> {
  // Wait for all, so that the failure of one counter does not leave the others uncounted.
  const results = await Promise.allSettled(pauses)
  for (const result of results) if (result.status === 'rejected') throw result.reason
  const seconds = results.flatMap((result) => (result.status === 'fulfilled' ? (result.value ?? []) : []))
  return seconds.length === 0 ? undefined : Math.max(...seconds)
}
