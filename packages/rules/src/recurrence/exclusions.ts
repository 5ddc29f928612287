import { dayMs, dayOf } from './calendar-day.ts'
import { nextOccurrence, type Occurrence, occurrenceAt, occurrences, type Series } from './recurrence.ts'
import { dayOfOccurrence, occurrenceOn } from './wall-starts.ts'

/** A cancelled occurrence, by its start in the series before the change. */
export type CarriedExclusions = {
  /** Those that the changed series has too, by their start there. */
  kept: readonly { from: Date; to: Date }[]
  /** Those that it does not have, by the local date (`2030-01-07`) that they were cancelled on. */
  dropped: readonly { from: Date; localDate: string }[]
}

/**
 * What becomes of a series' cancelled occurrences when its rule changes: the same instant stays cancelled, and so does the
 * same date on the calendar of the series' zone, at whichever time of day the changed rule has it. Where the changed rule
 * has no occurrence on that date, the cancellation is dropped. A zone that is changed without moving the meeting moves no
 * cancellation either, which is why the instant goes first.
 */
export function carryExclusions(before: Series, after: Series): CarriedExclusions {
  const kept: { from: Date; to: Date }[] = []
  const dropped: { from: Date; localDate: string }[] = []
  const [was, is] = [datesOf(before), datesOf(after)]
  // One that names no occurrence was dropped by an earlier change; a meeting that takes place once has none.
  const isCancelled = (from: Date) => after.rule.repeat !== 'none' && was.at(from) !== undefined
  const stays = (from: Date) => isCancelled(from) && is.at(from) !== undefined
  const taken = new Set(before.excluded.filter(stays).map(Number))
  for (const from of before.excluded) {
    const day = was.dayOf(from)
    const to = stays(from) ? from : isCancelled(from) ? free(is.on(day), taken) : undefined
    if (to === undefined) dropped.push({ from, localDate: writeDay(day) })
    else {
      taken.add(to.getTime())
      kept.push({ from, to })
    }
  }
  return { kept, dropped }
}

/** A service remembers so many dropped cancellations of a series, to say so when a later change brings their dates back. */
export const maxDroppedDates = 3660

/** Of these local dates of dropped cancellations, those that the changed series still has no occurrence on, in order. */
export function stillDropped(localDates: readonly string[], after: Series): string[] {
  const is = datesOf(after)
  const dates = new Set(localDates.filter((date) => is.on(readDay(date)) === undefined))
  return [...dates].sort().slice(-maxDroppedDates)
}

const free = (occurrence: Occurrence | undefined, taken: ReadonlySet<number>): Date | undefined =>
  occurrence === undefined || taken.has(occurrence.startsAt.getTime()) ? undefined : occurrence.startsAt

export type ChangedDates = {
  /** Take place after the change although their date had been cancelled. */
  restored: readonly Occurrence[]
  /** Were to take place before the change, and do not after it. */
  removed: readonly Occurrence[]
  /** Starts of cancelled occurrences that the changed series does not have: their cancellation is dropped. */
  dropped: readonly Date[]
  /** Not one of the dates ahead is left: the series was moved to other days, rather than some dates being removed. */
  isMoved: boolean
}

/** More dates are never listed: a reader of so many is better served by the rule. */
export const maxChangedDates = 100
/** Four years of a series on weekdays: an open one is compared so far. */
const maxCompared = 1000

/**
 * Which dates ahead of `now` a change of the schedule brings back, and which it takes away. `droppedDates` are the local
 * dates of cancellations that earlier changes dropped.
 */
export function compareDates(before: Series, after: Series, droppedDates: readonly string[], now: Date): ChangedDates {
  const [was, is] = [datesOf(before), datesOf(after)]
  const takesPlace = (dates: Dates, startsAt: Date, day: number) => dates.standingFor(startsAt, day)?.excluded === false
  const removed: Occurrence[] = []
  let compared = 0
  // A meeting that takes place once is moved, and not removed.
  const isSingle = before.rule.repeat === 'none' && after.rule.repeat === 'none'
  for (const occurrence of isSingle ? [] : occurrences(before, now)) {
    if (compared === maxCompared || removed.length === maxChangedDates) break
    const { startsAt, excluded } = occurrence
    if (excluded || startsAt <= now) continue
    compared++
    if (!takesPlace(is, startsAt, was.dayOf(startsAt))) removed.push(occurrence)
  }
  const restored = new Map<number, Occurrence>()
  for (const occurrence of [
    ...before.excluded.map((startsAt) => is.standingFor(startsAt, was.dayOf(startsAt))),
    ...droppedDates.map((date) => is.on(readDay(date))),
  ]) {
    if (occurrence === undefined || occurrence.excluded || occurrence.startsAt <= now) continue
    const { startsAt } = occurrence
    if (!takesPlace(was, startsAt, is.dayOf(startsAt))) restored.set(startsAt.getTime(), occurrence)
  }
  return {
    restored: [...restored.values()]
      .sort((one, other) => one.startsAt.getTime() - other.startsAt.getTime())
      .slice(0, maxChangedDates),
    removed,
    dropped: before.excluded
      .filter((startsAt) => startsAt > now && was.at(startsAt) && !is.standingFor(startsAt, was.dayOf(startsAt)))
      .slice(0, maxChangedDates),
    isMoved: removed.length === compared && nextOccurrence(after, now) !== undefined,
  }
}

type Dates = ReturnType<typeof datesOf>

/** Looks occurrences of a series up by their start and by their day. */
function datesOf(series: Series) {
  const excluded = new Set(series.excluded.map(Number))
  // Without its exclusions a series is not searched for them at each look.
  const plain = { ...series, excluded: [] }
  const marked = (found: Occurrence | undefined) =>
    found && { ...found, excluded: excluded.has(found.startsAt.getTime()) }
  const at = (startsAt: Date) => marked(occurrenceAt(plain, startsAt))
  const on = (day: number) => marked(occurrenceOn(plain, day))
  return {
    at,
    on,
    /** The same instant goes before the same date, so that another name for the zone moves nothing. */
    standingFor: (startsAt: Date, day: number) => at(startsAt) ?? on(day),
    dayOf: (startsAt: Date) => dayOfOccurrence(plain, startsAt),
  }
}

const writeDay = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10)
const readDay = (date: string) => dayOf(Date.parse(`${date}T00:00Z`))
