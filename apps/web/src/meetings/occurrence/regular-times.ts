import type { OccurrenceReply } from '@parley/contract'

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
