/**
 * So many requests are worked on at a time while the event loop is on time. One core answers some 2,500 small ones a
 * second: the last of these waits for a fifth of a second. More would wait for longer than their callers do, and hold
 * memory meanwhile.
 */
export const maxInFlight = 500
/**
 * So many in any case. With 50, a machine short of processor time spent it on refusals, and answered a seventh of its
 * capacity.
 */
export const minInFlight = 150

/** How often the event loop is looked at. */
const checkEveryMs = 100
/** Beyond this, requests and refusals wait for the event loop rather than for the database. */
export const maxLagMs = 100
/** Back at the maximum within a second. */
const step = 50

/**
 * How many requests may be worked on next: half as many after the event loop was late, a few more while it is on time.
 * A machine that is slow, or busy with other things, so takes less at a time and tells the others sooner.
 * @param lagMs how much later than due the event loop came to its timers
 */
export function adaptLimit(limit: number, lagMs: number, max: number): number {
  const min = Math.min(minInFlight, max)
  return lagMs > maxLagMs ? Math.max(min, Math.floor(limit / 2)) : Math.min(max, limit + step)
}

/** Adapts the limit to the event loop for as long as the process runs or until it is stopped. */
export function watchEventLoop(max: number) {
  let limit = max
  let dueMs = performance.now() + checkEveryMs
  const timer = setInterval(() => {
    const nowMs = performance.now()
    limit = adaptLimit(limit, nowMs - dueMs, max)
    dueMs = nowMs + checkEveryMs
  }, checkEveryMs).unref()
  return { limit: () => limit, stop: () => clearInterval(timer) }
}
