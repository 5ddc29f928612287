import { type Occurrence, occurrenceAt, type Series } from '../recurrence/recurrence.ts'
import { readTimeZone } from '../recurrence/time-zone.ts'
import { wallClockIn } from '../recurrence/wall-clock.ts'

type Answerable =
  | { kind: 'answerable'; occurrence: Occurrence }
  | { kind: 'no-such-occurrence' }
  | { kind: 'occurrence-cancelled' }
  | { kind: 'occurrence-over' }

/** Find the occurrence that a response is about. A single meeting is answered as a whole. */
export function findAnswerable(series: Series, originalStart: Date, now: Date): Answerable {
  const occurrence = series.rule.repeat === 'none' ? undefined : occurrenceAt(series, originalStart)
  if (occurrence === undefined) return { kind: 'no-such-occurrence' }
  if (occurrence.cancelled) return { kind: 'occurrence-cancelled' }
  return occurrence.endsAt <= now ? { kind: 'occurrence-over' } : { kind: 'answerable', occurrence }
}

/** The name of an occurrence in a calendar object (RFC 5545, 3.8.4.4), as its sender wrote it. */
export type RecurrenceId = {
  /** Milliseconds, read on the clock of `timeZone` (see wall-clock.ts). */
  wallMs: number
  /** `UTC`, a TZID, or null for the sender's local time. */
  timeZone: string | null
}

/**
 * Find the original start that a calendar program names; undefined where the series has none there. A TZID that is no
 * IANA id, such as Outlook's, means the zone of the series, in which the program received the invitation.
 */
export function findNamedStart(series: Series, { wallMs, timeZone }: RecurrenceId): Date | undefined {
  const reading = timeZone === null ? undefined : readTimeZone(timeZone)
  const clock = wallClockIn(reading?.kind === 'known' ? reading.timeZone : series.timeZone)
  // A skipped time has no instant of its own, and a repeated one has two.
  const named = [...clock.instantsOf(wallMs), clock.instantOf(wallMs)].map((startMs) => new Date(startMs))
  return named.find((start) => occurrenceAt(series, start) !== undefined)
}
