/** The time, handed in so that tests can set it. Deeds ask once per request. */
export type Clock = {
  /** The present instant, in whole milliseconds. */
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
