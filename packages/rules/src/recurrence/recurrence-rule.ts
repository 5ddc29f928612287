import { dayOfWeek, firstDayOfMonth, firstDayOfWeek, monthOf, weekOf } from './calendar-day.ts'

/** `interval` is a whole number from 1: every day, every second day, … `daysOfWeek` is 7 × 0 or 1, from Sunday. */
export type RecurrenceRule =
  | { repeat: 'none' }
  | { repeat: 'daily'; interval: number }
  | { repeat: 'weekly'; interval: number; daysOfWeek: readonly number[] }
  | { repeat: 'monthly'; interval: number; on: MonthlyDay }

/** Months without the date are skipped. `weeksInMonth` is 5 × 0 or 1: first, second, third, fourth, last. */
export type MonthlyDay =
  | { kind: 'date'; dateInMonth: number }
  | { kind: 'last-day' }
  | { kind: 'weeks'; weeksInMonth: readonly number[]; daysOfWeek: readonly number[] }

export type RepeatingRule = Exclude<RecurrenceRule, { repeat: 'none' }>

const daysInWeek = 7

/** Every rule has the same shape: time is cut into periods (days, weeks, months), and some days of a period are chosen. */
type Cycle = {
  periodOf: (day: number) => number
  /** In ascending order. */
  daysIn: (period: number) => number[]
}

/**
 * Steps through the days from `firstDay` to `lastDay` that the rule chooses, in ascending order: each call answers the
 * next one, undefined says that there is none left. Intervals are counted from the day, the week or the month of
 * `anchorDay`; `firstDay` is not before it. (Not a generator: in the innermost loop those take five times as long.)
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
  let place = 0
  return () => {
    while (place === days.length) {
      period += interval
      if (period > lastPeriod) return undefined
      days = daysIn(period)
      place = 0
    }
    const day = days[place++]
    return day === undefined || day > lastDay ? undefined : day
  }
}

function cycleOf(rule: RepeatingRule): Cycle {
  switch (rule.repeat) {
    case 'daily':
      return { periodOf: (day) => day, daysIn: (day) => [day] }
    case 'weekly': {
      const chosen = placesOf(rule.daysOfWeek)
      return { periodOf: weekOf, daysIn: (week) => chosen.map((weekday) => firstDayOfWeek(week) + weekday) }
    }
    case 'monthly':
      return { periodOf: monthOf, daysIn: daysInMonthOf(rule.on) }
  }
}

/** Where the ones are. */
const placesOf = (chosen: readonly number[]) => [...chosen.keys()].filter((place) => chosen[place] === 1)

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
      const weekdays = placesOf(on.daysOfWeek)
      const weeks = placesOf(on.weeksInMonth)
      return (month) => daysInWeeks(weekdays, weeks, firstDayOfMonth(month), firstDayOfMonth(month + 1))
    }
  }
}

/** The days from `first` to before `next` that are the first, second, third, fourth or last of one of the weekdays. */
function daysInWeeks(weekdays: readonly number[], weeks: readonly number[], first: number, next: number): number[] {
  const firstWeekday = dayOfWeek(first)
  const days: number[] = []
  for (const weekday of weekdays) {
    const firstOne = first + ((weekday - firstWeekday + daysInWeek) % daysInWeek)
    for (const week of weeks) {
      const day = firstOne + week * daysInWeek
      // The last one is the fifth, or the fourth, which may have been chosen already.
      if (day < next) days.push(day)
      else if (days.at(-1) !== day - daysInWeek) days.push(day - daysInWeek)
    }
  }
  return weekdays.length === 1 ? days : days.sort((one, other) => one - other)
}
