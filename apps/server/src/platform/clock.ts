/** The current time, injected so that tests can set it. Handlers read it once per request. */
export type Clock = {
  /** The current instant, in whole milliseconds. */
  now(): Date
}

/** Milliseconds since some time in the past, unaffected by changes of the clock. */
export const monotonicNow = (): number => performance.now()

export const systemClock: Clock = { now: () => new Date() }
