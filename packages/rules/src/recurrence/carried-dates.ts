import { dayMs, dayOf } from './calendar-day.ts'
import {
  nextOccurrence,
  noExceptions,
  type Occurrence,
  type OccurrenceChange,
  occurrenceAt,
  occurrences,
  type Series,
} from './recurrence.ts'
import { dayOfOccurrence, occurrenceOn } from './wall-starts.ts'

/** What became of occurrences in a changed series; each is named by its original start, before and after the change. */
type CarriedStarts = {
  /** Occurrences that the changed series has too. */
  kept: readonly { from: Date; to: Date }[]
  /** Occurrences that the new rule lacks; `localDate` is their date in the former series (`2030-01-07`). */
  dropped: readonly { from: Date; localDate: string }[]
}

/** The result of carrying cancelled occurrences over to a changed series. */
export type CarriedCancellations = CarriedStarts

/**
 * Carry cancelled occurrences over to a changed rule. The same instant stays cancelled, and so does the same date in
 * the series' zone, even at another time of day under the new rule. Where the new rule has no occurrence on that date,
 * the cancellation is dropped. The instant takes precedence over the date, so that a new name for the zone, which does
 * not move the meeting, moves no cancellation.
 */
export const carryCancellations = (before: Series, after: Series): CarriedCancellations =>
  carryStarts(before, after, before.cancelled)

/** The result of carrying changed occurrences over to a changed series. */
export type CarriedChanges = {
  kept: readonly { from: Date; change: OccurrenceChange }[]
  /** Original starts in the former series. */
  dropped: readonly Date[]
}

/**
 * Carry changed occurrences over to a changed rule, as cancelled ones are. An occurrence keeps its own times, which are
 * instants: the new time of day of the series does not apply to it.
 */
export function carryChanges(before: Series, after: Series): CarriedChanges {
  const changes = new Map(before.changed.map((change) => [change.originalStart.getTime(), change]))
  const { kept, dropped } = carryStarts(
    before,
    after,
    before.changed.map(({ originalStart }) => originalStart),
  )
  return {
    kept: kept.flatMap(({ from, to }) => {
      const change = changes.get(from.getTime())
      return change === undefined ? [] : [{ from, change: { ...change, originalStart: to } }]
    }),
    dropped: dropped.map(({ from }) => from),
  }
}

function carryStarts(before: Series, after: Series, starts: readonly Date[]): CarriedStarts {
  const kept: { from: Date; to: Date }[] = []
  const dropped: { from: Date; localDate: string }[] = []
  const [was, is] = [datesOf(before), datesOf(after)]
  // A date without an occurrence was dropped by an earlier change; a single meeting has none.
  const isGiven = (from: Date) => after.rule.repeat !== 'none' && was.at(from) !== undefined
  const isUnmoved = (from: Date) => isGiven(from) && is.at(from) !== undefined
  const taken = new Set(starts.filter(isUnmoved).map(Number))
  for (const from of starts) {
    const day = was.dayOf(from)
    const to = isUnmoved(from) ? from : isGiven(from) ? free(is.on(day), taken) : undefined
    if (to === undefined) dropped.push({ from, localDate: writeDay(day) })
    else {
      taken.add(to.getTime())
      kept.push({ from, to })
    }
  }
  return { kept, dropped }
}

/**
 * How many dropped cancellations are stored per series, in order to report them when a later change brings their dates
 * back.
 */
export const maxDroppedDates = 3660

/** The local date of an occurrence, as dropped cancellations are stored: `2030-01-07`. */
export const localDateOf = (series: Series, originalStart: Date): string =>
  writeDay(dayOfOccurrence({ ...series, ...noExceptions }, originalStart))

/** The dropped local dates on which the changed series still has no occurrence, in order. */
export function stillDropped(localDates: readonly string[], after: Series): string[] {
  const is = datesOf(after)
  const dates = new Set(localDates.filter((date) => is.on(readDay(date)) === undefined))
  return [...dates].sort().slice(-maxDroppedDates)
}

const free = (occurrence: Occurrence | undefined, taken: ReadonlySet<number>): Date | undefined =>
  occurrence === undefined || taken.has(occurrence.originalStart.getTime()) ? undefined : occurrence.originalStart

type ChangedDates = {
  /** Occurrences that take place after the change although their date had been cancelled. */
  restored: readonly Occurrence[]
  /** Occurrences that took place before the change and do not after it. */
  removed: readonly Occurrence[]
  /** Starts of cancelled occurrences that the changed series does not have: their cancellation is dropped. */
  dropped: readonly Date[]
  /** None of the future dates is left: the series was moved to other days, rather than some dates being removed. */
  isMoved: boolean
}

/** More dates are harder to read than the rule. */
export const maxChangedDates = 100
/** Four years of weekdays. A series without an end is compared up to here. */
const maxCompared = 1000

/**
 * List the dates after `now` that a change of the schedule restores, removes or drops. `droppedDates`: the local dates
 * of cancellations that earlier changes dropped.
 */
export function compareDates(before: Series, after: Series, droppedDates: readonly string[], now: Date): ChangedDates {
  const [was, is] = [datesOf(before), datesOf(after)]
  const takesPlace = (dates: Dates, start: Date, day: number) => dates.find(start, day)?.cancelled === false
  const removed: Occurrence[] = []
  let compared = 0
  // A single meeting is moved, not removed.
  const isSingle = before.rule.repeat === 'none' && after.rule.repeat === 'none'
  for (const occurrence of isSingle ? [] : occurrences(before, now)) {
    if (compared === maxCompared || removed.length === maxChangedDates) break
    const { originalStart, startsAt, cancelled } = occurrence
    if (cancelled || startsAt <= now) continue
    compared++
    if (!takesPlace(is, originalStart, was.dayOf(originalStart))) removed.push(occurrence)
  }
  const restored = new Map<number, Occurrence>()
  for (const occurrence of [
    ...before.cancelled.map((start) => is.find(start, was.dayOf(start))),
    ...droppedDates.map((date) => is.on(readDay(date))),
  ]) {
    if (occurrence === undefined || occurrence.cancelled || occurrence.startsAt <= now) continue
    const { originalStart } = occurrence
    if (!takesPlace(was, originalStart, is.dayOf(originalStart))) restored.set(originalStart.getTime(), occurrence)
  }
  return {
    restored: [...restored.values()]
      .sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime())
      .slice(0, maxChangedDates),
    removed,
    dropped: before.cancelled
      .filter((startsAt) => startsAt > now && was.at(startsAt) && !is.find(startsAt, was.dayOf(startsAt)))
      .slice(0, maxChangedDates),
    isMoved: removed.length === compared && nextOccurrence(after, now) !== undefined,
  }
}

type Dates = ReturnType<typeof datesOf>

/** Look up occurrences of a series by their start and by their day. */
function datesOf(series: Series) {
  const cancelled = new Set(series.cancelled.map(Number))
  // Drop the cancellations so that they are not searched at each look-up.
  const plain = { ...series, cancelled: [], changed: [] }
  const marked = (found: Occurrence | undefined) =>
    found && { ...found, cancelled: cancelled.has(found.originalStart.getTime()) }
  const at = (startsAt: Date) => marked(occurrenceAt(plain, startsAt))
  const on = (day: number) => marked(occurrenceOn(plain, day))
  return {
    at,
    on,
    /** The same instant takes precedence over the same date, so that a new name for the zone moves nothing. */
    find: (startsAt: Date, day: number) => at(startsAt) ?? on(day),
    dayOf: (startsAt: Date) => dayOfOccurrence(plain, startsAt),
  }
}

const writeDay = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10)
const readDay = (date: string) => dayOf(Date.parse(`${date}T00:00Z`))
