const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** The wait after each refusal, in order; further refusals wait as long as the last entry. */
export const waitsMs = [
  5 * secondMs,
  30 * secondMs,
  3 * minuteMs,
  10 * minuteMs,
  20 * minuteMs,
  hourMs,
  2 * hourMs,
  4 * hourMs,
  8 * hourMs,
]

/** The number of refusals, over about 35 minutes, after which later events no longer wait for the refused event. */
export const refusalsInOrder = 6

/** From the first attempt on. */
export const retryForMs = 3 * 24 * hourMs

/** Up to a fifth longer, so that many events that were refused together are not repeated together. */
export const maxJitter = 0.2

/** A receiver cannot postpone an event further. */
export const maxRetryAfterMs = 24 * hourMs

type Refusal = {
  /** How often it was refused, this time included: from 1 on. */
  refusals: number
  firstAttemptAt: Date
  now: Date
  /** What the receiver asked for (RFC 9110, 10.2.3), in milliseconds. */
  retryAfterMs: number | undefined
  /** From 0 to below 1. */
  random: number
}

type NextAttempt = { kind: 'give-up' } | { kind: 'retry'; at: Date; outOfOrder: boolean }

/** Decide when an event that was refused is sent again. */
export function nextAttempt({ refusals, firstAttemptAt, now, retryAfterMs = 0, random }: Refusal): NextAttempt {
  const waitMs = waitsMs[Math.min(refusals, waitsMs.length) - 1] ?? hourMs
  const jitteredMs = Math.round(waitMs * (1 + maxJitter * random))
  const at = new Date(now.getTime() + Math.max(jitteredMs, Math.min(retryAfterMs, maxRetryAfterMs)))
  if (at.getTime() > firstAttemptAt.getTime() + retryForMs) return { kind: 'give-up' }
  return { kind: 'retry', at, outOfOrder: refusals >= refusalsInOrder }
}
