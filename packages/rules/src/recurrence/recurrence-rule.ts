import { dayOfWeek, firstDayOfMonth, firstDayOfWeek, monthOf, weekOf } from './calendar-day.ts'

/** `interval` is an integer ≥ 1. `daysOfWeek` has 7 items, 0 or 1, Sunday first. */
export type RecurrenceRule =
  | { repeat: 'none'; count?: undefined }
  | ({ repeat: 'daily'; interval: number } & Counted)
  | ({ repeat: 'weekly'; interval: number; daysOfWeek: readonly number[] } & Counted)
  | ({ repeat: 'monthly'; interval: number; on: MonthlyDay } & Counted)

type Counted = {
  /**
   * After how many occurrences the series was set to end, cancelled ones included. Occurrences are computed from the
   * `endsBy` of the series, to which the count was converted; people and calendars are shown the count.
   */
  count?: number | undefined
}

/** Months without the date are skipped. `weeksInMonth` has 5 items, 0 or 1: first, second, third, fourth, last. */
export type MonthlyDay =
  | { kind: 'date'; dateInMonth: number }
  | { kind: 'last-day' }
  | { kind: 'weeks'; weeksInMonth: readonly number[]; daysOfWeek: readonly number[] }

export type RepeatingRule = Exclude<RecurrenceRule, { repeat: 'none' }>

const daysInWeek = 7

/**
 * All rules work alike: time is divided into periods (days, weeks or months), and the rule selects days of each period.
 */
type Cycle = {
  periodOf: (day: number) => number
  /** In ascending order. */
  daysIn: (period: number) => number[]
}

/**
 * Iterate over the days from `firstDay` to `lastDay` that the rule selects, in ascending order: each call returns the
 * next one, or undefined when none is left. Intervals are counted from the day, week or month of `anchorDay`;
 * `firstDay` is not before it. (Not a generator: generators take five times as long in the innermost loop.)
 */
export function chosenDays(
  rule: RepeatingRule,
  anchorDay: number,
  firstDay: number,
  lastDay: number,
): () => number | undefined {
  const { interval } = rule
  if (!Number.isInteger(interval) || interval < 1) throw new RangeError(`${interval} is not an interval`)

  const { periodOf, daysIn } = cycleOf(rule)
  const anchor = periodOf(anchorDay)
  const lastPeriod = periodOf(lastDay)
  let period = anchor + Math.ceil((periodOf(firstDay) - anchor) / interval) * interval
  let days = daysIn(period).filter((day) => firstDay <= day)
  let index = 0
  return () => {
    while (index === days.length) {
      period += interval
      if (period > lastPeriod) return undefined
      days = daysIn(period)
      index = 0
    }
    const day = days[index++]
    return day === undefined || day > lastDay ? undefined : day
  }
}

function cycleOf(rule: RepeatingRule): Cycle {
  switch (rule.repeat) {
    case 'daily':
      return { periodOf: (day) => day, daysIn: (day) => [day] }
    case 'weekly': {
      const chosen = indexesOf(rule.daysOfWeek)
      return { periodOf: weekOf, daysIn: (week) => chosen.map((weekday) => firstDayOfWeek(week) + weekday) }
    }
    case 'monthly':
      return { periodOf: monthOf, daysIn: daysInMonthOf(rule.on) }
  }
}

/** The indexes of the items that are 1. */
const indexesOf = (chosen: readonly number[]) => [...chosen.keys()].filter((index) => chosen[index] === 1)

function daysInMonthOf(on: MonthlyDay): Cycle['daysIn'] {
  switch (on.kind) {
    case 'date': {
      const { dateInMonth } = on
      return (month) => {
        const day = firstDayOfMonth(month) + dateInMonth - 1
        return day < firstDayOfMonth(month + 1) ? [day] : []
      }
    }
    case 'last-day':
      return (month) => [firstDayOfMonth(month + 1) - 1]
    case 'weeks': {
      const weekdays = indexesOf(on.daysOfWeek)
      const weeks = indexesOf(on.weeksInMonth)
      return (month) => daysInWeeks(weekdays, weeks, firstDayOfMonth(month), firstDayOfMonth(month + 1))
    }
  }
}

/** The days from `first` up to, not including, `next` that are the chosen weekdays of the chosen weeks. */
function daysInWeeks(weekdays: readonly number[], weeks: readonly number[], first: number, next: number): number[] {
  const firstWeekday = dayOfWeek(first)
  const days: number[] = []
  for (const weekday of weekdays) {
    const firstOne = first + ((weekday - firstWeekday + daysInWeek) % daysInWeek)
    for (const week of weeks) {
      const day = firstOne + week * daysInWeek
      // The last weekday of the month is the fifth or else the fourth, which may have been chosen already.
      if (day < next) days.push(day)
      else if (days.at(-1) !== day - daysInWeek) days.push(day - daysInWeek)
    }
  }
  return weekdays.length === 1 ? days : days.sort((a, b) => a - b)
}
