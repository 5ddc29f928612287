type Waiting = { state: string; nextAttemptOn: string | null }

/** While an attempt is near, the log is read as often as a person looks at it. */
const soonMs = 2_000
/** While the next attempt is further away. */
const laterMs = 30_000
const nearMs = 60_000

/** How long an open log waits before it is read again; false where nothing in it waits. */
export function refreshDelay(deliveries: readonly Waiting[], nowMs: number): number | false {
  const waiting = deliveries.filter(({ state }) => state === 'waiting')
  if (waiting.length === 0) return false
  // One that waits for an earlier event has no time of its own.
  const times = waiting.flatMap(({ nextAttemptOn }) => (nextAttemptOn === null ? [] : [Date.parse(nextAttemptOn)]))
  const untilNextMs = Math.min(...times) - nowMs
  return untilNextMs > nearMs ? laterMs : soonMs
}
