import type { AttemptLimits, LimitName } from '../../accounts/sign-in/attempt-limits.ts'

/** The counters of one kind of failure. A further attempt must be within the limit of each. */
export type FailureCounters = readonly (readonly [LimitName, string])[]

/** The seconds until a further attempt is allowed; undefined if it is allowed now. */
export const findPause = (limits: AttemptLimits, counters: FailureCounters): Promise<number | undefined> =>
  maxPause(counters.map(([limit, key]) => limits.findPause(limit, key)))

/** Count a failure in each counter. Returns a pause in seconds if concurrent attempts have exceeded a limit. */
export const countFailure = (limits: AttemptLimits, counters: FailureCounters): Promise<number | undefined> =>
  maxPause(counters.map(([limit, key]) => limits.count(limit, key)))

async function maxPause(pauses: readonly Promise<number | undefined>[]): Promise<number | undefined> {
  // Wait for all, so that the failure of one counter does not leave the others uncounted.
  const results = await Promise.allSettled(pauses)
  for (const result of results) if (result.status === 'rejected') throw result.reason
  const seconds = results.flatMap((result) => (result.status === 'fulfilled' ? (result.value ?? []) : []))
  return seconds.length === 0 ? undefined : Math.max(...seconds)
}
