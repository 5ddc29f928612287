import type { AttemptLimits, LimitName } from '../../accounts/sign-in/attempt-limits.ts'
import { retryAfterOf } from './retry-after.ts'

/** Where failures are counted. A further attempt needs one left in each of these. */
export type FailureCounters = readonly (readonly [LimitName, string])[]

/** The seconds until a further attempt may be made; undefined when it may be made now. */
export const findPause = (limits: AttemptLimits, counters: FailureCounters): Promise<number | undefined> =>
  longestOf(counters.map(([limit, key]) => retryAfterOf(() => limits.require(limit, key))))

/** Counts a failure everywhere. Returns a pause when it was one more than is allowed, as many at once can be. */
export const countFailure = (limits: AttemptLimits, counters: FailureCounters): Promise<number | undefined> =>
  longestOf(counters.map(([limit, key]) => retryAfterOf(() => limits.count(limit, key))))

async function longestOf(pauses: readonly Promise<number | undefined>[]): Promise<number | undefined> {
  // Settled, so that one counter that cannot be reached does not leave the others uncounted.
  const settled = await Promise.allSettled(pauses)
  for (const result of settled) if (result.status === 'rejected') throw result.reason
  const seconds = settled.flatMap((result) => (result.status === 'fulfilled' ? (result.value ?? []) : []))
  return seconds.length === 0 ? undefined : Math.max(...seconds)
}
