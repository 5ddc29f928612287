import { nextOccurrence, type Occurrence, occurrences, type Series } from '../recurrence/recurrence.ts'
import { wallClockIn } from '../recurrence/wall-clock.ts'

const minuteMs = 60_000

type PreviewedOccurrence = Occurrence & {
  /** The offset from UTC at the start, in minutes. */
  utcOffsetMinutes: number
  /**
   * The local time at the start, which differs from that of the other occurrences when the start falls into the skipped
   * hour of a clock change.
   */
  localStart: string
}

/** A change of the UTC offset between this occurrence and the previous one. */
type Shift = { startsAt: Date; beforeMinutes: number; afterMinutes: number }

/**
 * Preview an unsaved series: the first `limit` occurrences that end after `from`, and the clock changes between them.
 */
export function previewSeries(
  series: Series,
  limit: number,
  from?: Date,
): { occurrences: PreviewedOccurrence[]; moreAvailable: boolean; shifts: Shift[] } {
  const clock = wallClockIn(series.timeZone)
  const previewed: PreviewedOccurrence[] = []
  const shifts: Shift[] = []
  let moreAvailable = false
  for (const occurrence of occurrences(series, from)) {
    if (previewed.length === limit) {
      moreAvailable = true
      break
    }
    const startMs = occurrence.startsAt.getTime()
    const wallMs = clock.read(startMs)
    const utcOffsetMinutes = (wallMs - startMs) / minuteMs
    const before = previewed.at(-1)?.utcOffsetMinutes
    if (before !== undefined && before !== utcOffsetMinutes) {
      shifts.push({ startsAt: occurrence.startsAt, beforeMinutes: before, afterMinutes: utcOffsetMinutes })
    }
    previewed.push({ ...occurrence, utcOffsetMinutes, localStart: new Date(wallMs).toISOString().slice(0, 19) })
  }
  return { occurrences: previewed, moreAvailable, shifts }
}

/** Possible mistakes. A start in the past is allowed, because imports contain past meetings. */
type ScheduleWarning = 'starts_in_past' | 'over'

/** List the warnings about a schedule; empty when it is entirely in the future. */
export function scheduleWarnings(series: Series, now: Date): ScheduleWarning[] {
  const startsInPast = series.startsAt < now
  const isOver = nextOccurrence(series, now) === undefined
  return [...(startsInPast ? ['starts_in_past' as const] : []), ...(isOver ? ['over' as const] : [])]
}
