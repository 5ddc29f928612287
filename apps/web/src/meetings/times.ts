import type { OccurrenceReply } from '@parley/contract'

/** Whether the local times of two time zones differ at an instant: those of London and Lisbon never do. */
export function differsAt(at: string, oneZone: string, otherZone: string): boolean {
  const clock = (timeZone: string) =>
    new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(new Date(at))
  return clock(oneZone) !== clock(otherZone)
}

type Repeating = { repeatOptions: { repeat: string; interval: number | null } }

/** The key of the text for a recurrence; an unknown rule, or one with skipped days, is just "repeats". */
export function rhythmOf({ repeatOptions: { repeat, interval } }: Repeating): 'daily' | 'weekly' | 'monthly' | 'other' {
  if (interval !== null && interval > 1) return 'other'
  return repeat === 'daily' || repeat === 'weekly' || repeat === 'monthly' ? repeat : 'other'
}

type Times = { startTime: string; endTime: string }
type Dated = Pick<OccurrenceReply, 'startTime' | 'endTime' | 'originalStartTime'>

/** The times that the series gives a date that has times of its own; undefined for all other dates. */
export function regularTimesOf(
  { startTime, endTime, originalStartTime }: Dated,
  durationMs: number,
): Times | undefined {
  const startsMs = Date.parse(originalStartTime)
  const isRegular = Date.parse(startTime) === startsMs && Date.parse(endTime) === startsMs + durationMs
  return isRegular
    ? undefined
    : { startTime: originalStartTime, endTime: new Date(startsMs + durationMs).toISOString() }
}
