import { dayMs, dayOf } from './calendar-day.ts'
import { type Occurrence, occurrenceAt, type Series } from './recurrence.ts'
import { chosenDays } from './recurrence-rule.ts'
import { transitionsBetween } from './vtimezone-transitions.ts'
import { wallClockIn } from './wall-clock.ts'

/** An occurrence that the wall clock alone does not tell, or tells differently from reader to reader. */
export type UnclearStart = {
  /** What the clock was to show: the rule's day at the series' time of day. */
  wallMs: number
  /** When it takes place; null when the day was left out of the calendar and its meeting falls together with the next. */
  startsAt: Date | null
}

/** An occurrence takes at most a day, and what the clock leaves out or repeats is added to that. */
const reachMs = 2 * dayMs

/**
 * What the wall clock was to show at the start of an occurrence, in milliseconds (see wall-clock.ts). That is what the
 * occurrence is named by in a calendar (RFC 5545's EXDATE, RECURRENCE-ID), also where the clock left that time out.
 */
export function wallStartOf(series: Series, startsAt: Date): number {
  const clock = wallClockIn(series.timeZone)
  const shownMs = clock.read(startsAt.getTime())
  const days = [dayOf(shownMs), dayOf(shownMs) - 1] // what was put forward past midnight was to be a day earlier
  const wallMs = days
    .filter((day) => isChosen(series, day))
    .map((day) => plannedAt(series, day))
    .find((planned) => startOn(series, planned) === startsAt.getTime())
  return wallMs ?? shownMs
}

/** The occurrence, excluded or not, that the rule gives on a day of the series' zone (see calendar-day.ts). */
export function occurrenceOn(series: Series, day: number): Occurrence | undefined {
  if (!isChosen(series, day)) return undefined
  return occurrenceAt(series, new Date(startOn(series, plannedAt(series, day))))
}

/** The day that an occurrence is named by: that of its planned time, also where the clock moved it past midnight. */
export const dayOfOccurrence = (series: Series, startsAt: Date): number => dayOf(wallStartOf(series, startsAt))

/**
 * The occurrences from `from` to `until` whose wall clock times programs read differently: those in a time that the clock
 * left out or showed twice, those that end in one, and those during which it was changed. In order.
 */
export function unclearStarts(series: Series, from: Date, until: Date): UnclearStart[] {
  const clock = wallClockIn(series.timeZone)
  const found = new Map<number, UnclearStart>()
  for (const { atMs } of transitionsBetween(series.timeZone, from.getTime() - reachMs, until.getTime() + reachMs)) {
    const changedOn = dayOf(clock.read(atMs))
    for (let day = changedOn - 2; day <= changedOn + 1; day++) {
      const wallMs = plannedAt(series, day)
      if (!isChosen(series, day) || isClear(series, wallMs)) continue
      const startsAt = new Date(startOn(series, wallMs))
      if (occurrenceAt(series, startsAt) === undefined) continue
      const isNextDay = wallStartOf(series, startsAt) !== wallMs
      found.set(wallMs, { wallMs, startsAt: isNextDay ? null : startsAt })
    }
  }
  return [...found.values()].sort((one, other) => one.wallMs - other.wallMs)
}

/** Whether start and end are each shown once, on a clock that is not changed in between. */
function isClear(series: Series, wallMs: number): boolean {
  const clock = wallClockIn(series.timeZone)
  const endWallMs = wallMs + series.durationMs
  const [startMs, ...others] = clock.instantsOf(wallMs)
  const ends = clock.instantsOf(endWallMs)
  return startMs !== undefined && others.length === 0 && ends.length === 1 && ends[0] === startMs + series.durationMs
}

/** The first occurrence of all may be the second showing of its time; every other one is the first. */
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
