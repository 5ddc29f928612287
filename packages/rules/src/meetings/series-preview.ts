import { nextOccurrence, type Occurrence, occurrences, type Series } from '../recurrence/recurrence.ts'
import { wallClockIn } from '../recurrence/wall-clock.ts'

const minuteMs = 60_000

export type PreviewedOccurrence = Occurrence & {
  /** Of UTC at its start, in minutes. */
  utcOffsetMinutes: number
  /** What the clock on the wall shows at its start: another time of day than at the others in the hour that is left out. */
  localStart: string
}

/** The clock was put forward or back between one occurrence and the one before. */
export type Shift = { startsAt: Date; beforeMinutes: number; afterMinutes: number }

/** The first occurrences of a rule that is not kept yet that end after `from`, and where its clock changes between them. */
export function previewSeries(
  series: Series,
  most: number,
  from?: Date,
): { occurrences: PreviewedOccurrence[]; moreAvailable: boolean; shifts: Shift[] } {
  const clock = wallClockIn(series.timeZone)
  const previewed: PreviewedOccurrence[] = []
  const shifts: Shift[] = []
  let moreAvailable = false
  for (const occurrence of occurrences(series, from)) {
    if (previewed.length === most) {
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

/** What a person may not have meant: a start in the past is allowed, because imports have one. */
export type ScheduleWarning = 'starts_in_past' | 'over'

export function scheduleWarnings(series: Series, now: Date): ScheduleWarning[] {
  const startsInPast = series.startsAt < now
  const isOver = nextOccurrence(series, now) === undefined
  return [...(startsInPast ? ['starts_in_past' as const] : []), ...(isOver ? ['over' as const] : [])]
}
