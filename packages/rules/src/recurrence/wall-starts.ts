import { dayMs, dayOf } from './calendar-day.ts'
import { type Occurrence, occurrenceAt, type Series } from './recurrence.ts'
import { chosenDays } from './recurrence-rule.ts'
import { transitionsBetween } from './vtimezone-transitions.ts'
import { wallClockIn } from './wall-clock.ts'

/**
 * An occurrence, by its original start, whose wall clock time is skipped, repeated, or read differently by different
 * calendar programs.
 */
type AmbiguousStart = {
  /** The planned wall clock time: the rule's day at the series' time of day. */
  wallMs: number
  /** The actual start; null when the whole day was skipped and the occurrence coincides with the next one. */
  startsAt: Date | null
}

/** An occurrence lasts at most a day; a skipped or repeated time is added to that. */
const reachMs = 2 * dayMs

/**
 * The planned wall clock time of an occurrence, in milliseconds (see wall-clock.ts). Calendars identify an occurrence
 * by it (RFC 5545, EXDATE and RECURRENCE-ID), even where the clock skipped that time.
 */
export function wallStartOf(series: Series, originalStart: Date): number {
  const clock = wallClockIn(series.timeZone)
  const shownMs = clock.read(originalStart.getTime())
  const days = [dayOf(shownMs), dayOf(shownMs) - 1] // a start moved past midnight belongs to the day before
  const wallMs = days
    .filter((day) => isChosen(series, day))
    .map((day) => plannedAt(series, day))
    .find((planned) => startOn(series, planned) === originalStart.getTime())
  return wallMs ?? shownMs
}

/** The occurrence, cancelled or not, that the rule gives on a day in the series' zone (see calendar-day.ts). */
export function occurrenceOn(series: Series, day: number): Occurrence | undefined {
  if (!isChosen(series, day)) return undefined
  return occurrenceAt(series, new Date(startOn(series, plannedAt(series, day))))
}

/**
 * The day that identifies an occurrence: that of its planned time, even where a clock change moved it past midnight.
 */
export const dayOfOccurrence = (series: Series, startsAt: Date): number => dayOf(wallStartOf(series, startsAt))

/**
 * List the occurrences from `from` to `until` whose wall clock times calendar programs read differently: those that
 * start or end in a skipped or repeated time, and those during which the clock changes. In order.
 */
export function findAmbiguousStarts(series: Series, from: Date, until: Date): AmbiguousStart[] {
  const clock = wallClockIn(series.timeZone)
  const found = new Map<number, AmbiguousStart>()
  for (const { atMs } of transitionsBetween(series.timeZone, from.getTime() - reachMs, until.getTime() + reachMs)) {
    const changedOn = dayOf(clock.read(atMs))
    for (let day = changedOn - 2; day <= changedOn + 1; day++) {
      const wallMs = plannedAt(series, day)
      if (!isChosen(series, day) || isUnambiguous(series, wallMs)) continue
      const startsAt = new Date(startOn(series, wallMs))
      if (occurrenceAt(series, startsAt) === undefined) continue
      const isNextDay = wallStartOf(series, startsAt) !== wallMs
      found.set(wallMs, { wallMs, startsAt: isNextDay ? null : startsAt })
    }
  }
  return [...found.values()].sort((a, b) => a.wallMs - b.wallMs)
}

/** Whether start and end each occur once, without a clock change in between. */
function isUnambiguous(series: Series, wallMs: number): boolean {
  const clock = wallClockIn(series.timeZone)
  const endWallMs = wallMs + series.durationMs
  const [startMs, ...others] = clock.instantsOf(wallMs)
  const ends = clock.instantsOf(endWallMs)
  return startMs !== undefined && others.length === 0 && ends.length === 1 && ends[0] === startMs + series.durationMs
}

/** The first occurrence may be the second of a repeated time; all others are the first. */
function startOn(series: Series, wallMs: number): number {
  const clock = wallClockIn(series.timeZone)
  const anchorMs = series.startsAt.getTime()
  return dayOf(wallMs) === dayOf(clock.read(anchorMs)) ? anchorMs : clock.instantOf(wallMs)
}

function plannedAt(series: Series, day: number): number {
  const anchorWallMs = wallClockIn(series.timeZone).read(series.startsAt.getTime())
  return anchorWallMs + (day - dayOf(anchorWallMs)) * dayMs
}

function isChosen({ rule, startsAt, timeZone }: Series, day: number): boolean {
  const anchorDay = dayOf(wallClockIn(timeZone).read(startsAt.getTime()))
  if (rule.repeat === 'none' || day < anchorDay) return day === anchorDay
  return chosenDays(rule, anchorDay, day, day)() === day
}
