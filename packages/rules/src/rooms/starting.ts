import { type Occurrence, occurrences, type Series } from '../recurrence/recurrence.ts'
import { opensBeforeMs } from './admission.ts'

/**
 * People are notified this long before a date starts, or up to half a minute earlier or later: the check runs each
 * minute.
 */
const startNoticeMs = 5 * 60_000

const aheadMs = startNoticeMs + 30_000

type StartingDates = {
  /** The dates that start soon. Those that have begun are left out: notifying of them would be too late. */
  starting: readonly Occurrence[]
  /** When the dates after them are to be checked; null: there are none. */
  checkAt: Date | null
}

/** Find the dates of a meeting that start soon, and when to look for the next ones. */
export function findStartingDates(series: Series, now: Date): StartingDates {
  const soon = new Date(now.getTime() + aheadMs)
  const starting: Occurrence[] = []
  for (const occurrence of occurrences(series, now)) {
    if (occurrence.cancelled || occurrence.startsAt <= now) continue
    if (occurrence.startsAt > soon) {
      return { starting, checkAt: new Date(occurrence.startsAt.getTime() - aheadMs) }
    }
    starting.push(occurrence)
  }
  return { starting, checkAt: null }
}

/**
 * Whether a call that begins now is that of the date, of which people are notified: hosts may enter days before, to try
 * the room, and people stay or come back after its end.
 */
export const isCallOfDate = ({ startsAt, endsAt }: { startsAt: Date; endsAt: Date }, now: Date): boolean =>
  now.getTime() >= startsAt.getTime() - opensBeforeMs && now < endsAt
