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

const DAYS_IN_WEEK = 7
const LAST = 4 // where weeksInMonth says 'last', after the first four

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
      const chosen = [0, 1, 2, 3, 4, 5, 6].filter((weekday) => rule.daysOfWeek[weekday] === 1)
      return { periodOf: weekOf, daysIn: (week) => chosen.map((weekday) => firstDayOfWeek(week) + weekday) }
    }
    case 'monthly':
      return { periodOf: monthOf, daysIn: (month) => chosenInMonth(rule.on, month) }
  }
}

function chosenInMonth(on: MonthlyDay, month: number): number[] {
  const first = firstDayOfMonth(month)
  const next = firstDayOfMonth(month + 1)
  switch (on.kind) {
    case 'date':
      return on.dateInMonth <= next - first ? [first + on.dateInMonth - 1] : []
    case 'last-day':
      return [next - 1]
    case 'weeks': {
      const days: number[] = []
      for (let firstOne = first; firstOne < first + DAYS_IN_WEEK; firstOne++) {
        if (on.daysOfWeek[dayOfWeek(firstOne)] !== 1) continue
        for (let week = 0; week < LAST; week++) {
          if (on.weeksInMonth[week] === 1) days.push(firstOne + week * DAYS_IN_WEEK)
        }
        const fifthOne = firstOne + LAST * DAYS_IN_WEEK
        const lastOne = fifthOne < next ? fifthOne : fifthOne - DAYS_IN_WEEK
        if (on.weeksInMonth[LAST] === 1 && days.at(-1) !== lastOne) days.push(lastOne) // the fourth may be the last
      }
      return days.sort((one, other) => one - other)
    }
  }
}
