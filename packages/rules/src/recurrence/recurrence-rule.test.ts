import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayMs } from './calendar-day.ts'
import { chosenDays, type RepeatingRule } from './recurrence-rule.ts'

const dayNo = (date: string) => Date.parse(date) / dayMs

function chosen(rule: RepeatingRule, anchor: string, first: string, last: string): string {
  const days: string[] = []
  const nextDay = chosenDays(rule, dayNo(anchor), dayNo(first), dayNo(last))
  for (let day = nextDay(); day !== undefined; day = nextDay()) {
    days.push(new Date(day * dayMs).toISOString().slice(0, 10))
  }
  assert.equal(nextDay(), undefined)
  return days.join(' ')
}

const monday: RepeatingRule = { repeat: 'weekly', interval: 1, daysOfWeek: [0, 1, 0, 0, 0, 0, 0] }

const ranges = [
  ['begins and ends on chosen days includes both', '2026-01-12', '2026-01-19', '2026-01-12 2026-01-19'],
  ['begins a day later', '2026-01-13', '2026-01-19', '2026-01-19'],
  ['ends a day earlier', '2026-01-12', '2026-01-18', '2026-01-12'],
  ['lies between two chosen days', '2026-01-13', '2026-01-18', ''],
  ['ends before it begins', '2026-01-19', '2026-01-12', ''],
] as const

for (const [name, first, last, expected] of ranges) {
  test(`a range that ${name}`, () => assert.equal(chosen(monday, '2026-01-05', first, last), expected))
}

test('an interval is counted from the anchor, even for a distant range', () => {
  const everyThirdDay: RepeatingRule = { repeat: 'daily', interval: 3 }
  assert.equal(chosen(everyThirdDay, '1969-12-31', '1970-01-01', '1970-01-07'), '1970-01-03 1970-01-06')
  assert.equal(chosen(everyThirdDay, '1969-12-31', '9999-01-01', '9999-01-03'), '9999-01-01')
})

test('a day that is both the fourth and the last of its weekday is chosen once', () => {
  const fridays: RepeatingRule = {
    repeat: 'monthly',
    interval: 1,
    on: { kind: 'weeks', weeksInMonth: [0, 0, 0, 1, 1], daysOfWeek: [0, 0, 0, 0, 0, 1, 0] },
  }
  assert.equal(chosen(fridays, '2026-01-01', '2026-01-01', '2026-02-28'), '2026-01-23 2026-01-30 2026-02-27')
})
