/** The current time, injected so that tests can set it. Handlers read it once per request. */
export type Clock = {
  /** The current instant, in whole milliseconds. */
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
