import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecurrenceRule } from '../recurrence/recurrence.ts'
import { type RepeatOptions, readRepeatOptions } from './repeat-options.ts'

const start = '2026-11-21T09:00:00Z'

function read(options: RepeatOptions, startTime: string | undefined = start) {
  const startsAt = startTime === undefined ? undefined : new Date(startTime)
  const { value: rule, violations = [] } = readRepeatOptions(options, startsAt)
  return { rule, refusals: violations.map(({ path, code }) => `${path.replace('/repeatOptions', '')} ${code}`) }
}

const noDay = [0, 0, 0, 0, 0, 0, 0]
const monday = [0, 1, 0, 0, 0, 0, 0]
const noWeek = [0, 0, 0, 0, 0]
const second = [0, 1, 0, 0, 0]
/** Invalid values, which every `repeat` that does not use them must ignore. */
const garbage: RepeatOptions = {
  interval: 0,
  daysOfWeek: [7, -1],
  dateInMonth: 99,
  lastDayOfMonth: true,
  weeksInMonth: [5],
  endDate: 'never',
}
const { interval: _interval, endDate: _endDate, ...dayGarbage } = garbage

const daily = { repeat: 'daily', interval: 1 } as const
const weekly = { repeat: 'weekly', interval: 1, daysOfWeek: monday } as const
const on15th = { repeat: 'monthly', interval: 1, on: { kind: 'date', dateInMonth: 15 } } as const
const lastDay = { repeat: 'monthly', interval: 1, on: { kind: 'last-day' } } as const
const secondMonday = {
  repeat: 'monthly',
  interval: 1,
  on: { kind: 'weeks', weeksInMonth: second, daysOfWeek: monday },
} as const

const rules: readonly (readonly [string, RepeatOptions, RecurrenceRule])[] = [
  ['none', { repeat: 'none' }, { repeat: 'none' }],
  [
    'none, with the defaults that clients send',
    { repeat: 'none', daysOfWeek: noDay, dateInMonth: 26 },
    { repeat: 'none' },
  ],
  ['none, with invalid values elsewhere', { ...garbage, repeat: 'none' }, { repeat: 'none' }],
  ['daily', { repeat: 'daily' }, daily],
  ['daily, with invalid days', { ...dayGarbage, repeat: 'daily' }, daily],
  ['an interval of null', { repeat: 'daily', interval: null }, daily],
  ['an interval of 1', { repeat: 'daily', interval: 1 }, daily],
  ['an interval of 99', { repeat: 'daily', interval: 99 }, { ...daily, interval: 99 }],
  ['weekly', { repeat: 'weekly', daysOfWeek: monday }, weekly],
  ['weekly, with invalid monthly fields', { ...dayGarbage, repeat: 'weekly', daysOfWeek: monday }, weekly],
  ['weekly, every 99', { repeat: 'weekly', interval: 99, daysOfWeek: monday }, { ...weekly, interval: 99 }],
  [
    'days as booleans',
    { repeat: 'weekly', daysOfWeek: [false, true, false, 0, 0, false, false] },
    { ...weekly, daysOfWeek: monday },
  ],
  [
    'every day of the week',
    { repeat: 'weekly', daysOfWeek: [1, 1, 1, true, 1, 1, 1] },
    { ...weekly, daysOfWeek: [1, 1, 1, 1, 1, 1, 1] },
  ],
  ['monthly on the 15th', { repeat: 'monthly', dateInMonth: 15 }, on15th],
  ['monthly, every 99', { repeat: 'monthly', dateInMonth: 15, interval: 99 }, { ...on15th, interval: 99 }],
  ['the 1st', { repeat: 'monthly', dateInMonth: 1 }, { ...on15th, on: { kind: 'date', dateInMonth: 1 } }],
  ['the 31st', { repeat: 'monthly', dateInMonth: 31 }, { ...on15th, on: { kind: 'date', dateInMonth: 31 } }],
  ['the 15th, with invalid days of the week', { repeat: 'monthly', dateInMonth: 15, daysOfWeek: [7] }, on15th],
  [
    'the 15th, with everything else neutral',
    { repeat: 'monthly', dateInMonth: 15, lastDayOfMonth: false, weeksInMonth: noWeek, daysOfWeek: noDay },
    on15th,
  ],
  ['the last day', { repeat: 'monthly', lastDayOfMonth: true }, lastDay],
  ['the last day takes precedence over weeks and a date', { repeat: 'monthly', ...dayGarbage }, lastDay],
  ['the last day, without a date', { repeat: 'monthly', lastDayOfMonth: true, dateInMonth: 0 }, lastDay],
  ['the second Monday', { repeat: 'monthly', weeksInMonth: second, daysOfWeek: monday }, secondMonday],
  [
    'weeks as booleans',
    { repeat: 'monthly', weeksInMonth: [false, true, false, false, false], daysOfWeek: monday },
    secondMonday,
  ],
  [
    'weeks take precedence over a date',
    { repeat: 'monthly', weeksInMonth: second, daysOfWeek: monday, dateInMonth: 15 },
    secondMonday,
  ],
  [
    'weeks take precedence over an invalid date',
    { repeat: 'monthly', weeksInMonth: second, daysOfWeek: monday, dateInMonth: 99 },
    secondMonday,
  ],
  [
    'the last week',
    { repeat: 'monthly', weeksInMonth: [0, 0, 0, 0, 1], daysOfWeek: monday },
    { ...secondMonday, on: { ...secondMonday.on, weeksInMonth: [0, 0, 0, 0, 1] } },
  ],
]
for (const [name, options, rule] of rules) {
  test(`repeat: ${name}`, () => assert.deepEqual(read(options), { rule: { rule, endsBy: null }, refusals: [] }))
}

const refused: readonly (readonly [string, RepeatOptions, readonly string[]])[] = [
  ['an interval of 0', { repeat: 'daily', interval: 0 }, ['/interval out_of_range']],
  ['an interval of -1', { repeat: 'daily', interval: -1 }, ['/interval out_of_range']],
  ['an interval of 100', { repeat: 'daily', interval: 100 }, ['/interval out_of_range']],
  ['weekly without days', { repeat: 'weekly' }, ['/daysOfWeek required']],
  ['weekly on no day', { repeat: 'weekly', daysOfWeek: noDay }, ['/daysOfWeek no_day']],
  ['weekly on no day, as booleans', { repeat: 'weekly', daysOfWeek: noDay.map(Boolean) }, ['/daysOfWeek no_day']],
  ['an empty list of days', { repeat: 'weekly', daysOfWeek: [] }, ['/daysOfWeek wrong_length']],
  ['6 days', { repeat: 'weekly', daysOfWeek: monday.slice(0, 6) }, ['/daysOfWeek wrong_length']],
  ['8 days', { repeat: 'weekly', daysOfWeek: [...monday, 0] }, ['/daysOfWeek wrong_length']],
  ['a day of 2', { repeat: 'weekly', daysOfWeek: [0, 2, 0, 0, 0, 0, 0] }, ['/daysOfWeek/1 not_allowed']],
  ['a day of -1', { repeat: 'weekly', daysOfWeek: [1, 0, 0, 0, 0, 0, -1] }, ['/daysOfWeek/6 not_allowed']],
  [
    'several wrong days',
    { repeat: 'weekly', daysOfWeek: [2, 1, 0, 3, 0, 0, 4] },
    ['/daysOfWeek/0 not_allowed', '/daysOfWeek/3 not_allowed', '/daysOfWeek/6 not_allowed'],
  ],
  ['a day that the schema refused', { repeat: 'weekly', daysOfWeek: [undefined, 0, 0, 0, 0, 0, 0] }, []],
  ['monthly without any field', { repeat: 'monthly' }, ['/dateInMonth required']],
  ['monthly on a date of null', { repeat: 'monthly', dateInMonth: null }, ['/dateInMonth required']],
  ['monthly on the 0th', { repeat: 'monthly', dateInMonth: 0 }, ['/dateInMonth required']],
  ['monthly on the 32nd', { repeat: 'monthly', dateInMonth: 32 }, ['/dateInMonth out_of_range']],
  ['monthly on the -1st', { repeat: 'monthly', dateInMonth: -1 }, ['/dateInMonth out_of_range']],
  [
    'monthly, everything neutral',
    { repeat: 'monthly', lastDayOfMonth: false, weeksInMonth: noWeek, dateInMonth: 0, daysOfWeek: monday },
    ['/dateInMonth required'],
  ],
  ['weeks without days', { repeat: 'monthly', weeksInMonth: second }, ['/daysOfWeek required']],
  [
    'weeks on no day, and a date that is not used',
    { repeat: 'monthly', weeksInMonth: second, daysOfWeek: noDay, dateInMonth: 15 },
    ['/daysOfWeek no_day'],
  ],
  ['4 weeks', { repeat: 'monthly', weeksInMonth: [0, 1, 0, 0], daysOfWeek: monday }, ['/weeksInMonth wrong_length']],
  ['6 weeks', { repeat: 'monthly', weeksInMonth: [...second, 0], daysOfWeek: monday }, ['/weeksInMonth wrong_length']],
  [
    'a week of 2',
    { repeat: 'monthly', weeksInMonth: [0, 2, 0, 0, 0], daysOfWeek: monday, dateInMonth: 15 },
    ['/weeksInMonth/1 not_allowed'],
  ],
  [
    'wrong weeks on wrong days',
    { repeat: 'monthly', weeksInMonth: [1, 2, 0, 0, 3], daysOfWeek: [0, 1] },
    ['/weeksInMonth/1 not_allowed', '/weeksInMonth/4 not_allowed', '/daysOfWeek wrong_length'],
  ],
  [
    'everything at once',
    { repeat: 'weekly', interval: 100, daysOfWeek: noDay, endDate: 'soon' },
    ['/interval out_of_range', '/endDate bad_format', '/daysOfWeek no_day'],
  ],
  ['no repeat, which the schema refused', { ...garbage }, []],
]
for (const [name, options, refusals] of refused) {
  test(`repeat: ${name}: ${refusals.join(', ') || 'nothing new'}`, () =>
    assert.deepEqual(read(options), { rule: undefined, refusals }))
}

const endDates: readonly (readonly [string, string, string | null | undefined, string | null | readonly string[]])[] = [
  ['none', start, undefined, null],
  ['null', start, null, null],
  ['the start itself', start, start, '2026-11-21T09:00:00.000Z'],
  ['any offset', start, '2026-12-24T18:00:00+05:30', '2026-12-24T12:30:00.000Z'],
  ['10 years', start, '2036-11-21T09:00:00Z', '2036-11-21T09:00:00.000Z'],
  ['10 years once the milliseconds are dropped', start, '2036-11-21T09:00:00.999Z', '2036-11-21T09:00:00.000Z'],
  ['10 years and a second', start, '2036-11-21T09:00:01Z', ['/endDate too_late']],
  // Ten years later there is no 29 February; the tenth year is complete on 1 March.
  ['10 years from a 29 February', '2028-02-29T09:00:00Z', '2038-03-01T09:00:00Z', '2038-03-01T09:00:00.000Z'],
  ['10 years and a second from a 29 February', '2028-02-29T09:00:00Z', '2038-03-01T09:00:01Z', ['/endDate too_late']],
  ['10 years from a 28 February', '2028-02-28T09:00:00Z', '2038-02-28T09:00:00Z', '2038-02-28T09:00:00.000Z'],
  ['10 years and a second from a 28 February', '2028-02-28T09:00:00Z', '2038-02-28T09:00:01Z', ['/endDate too_late']],
  ['a date only', start, '2026-12-24', ['/endDate bad_format']],
  ['not a date', start, '2027-02-29T09:00:00Z', ['/endDate bad_format']],
  ['an empty string', start, '', ['/endDate bad_format']],
]
for (const [name, startTime, endDate, expected] of endDates) {
  test(`endDate: ${name}`, () => {
    const { rule, refusals } = read({ repeat: 'daily', endDate }, startTime)
    if (Array.isArray(expected)) assert.deepEqual({ rule, refusals }, { rule: undefined, refusals: expected })
    else assert.deepEqual([rule?.endsBy?.toISOString() ?? null, refusals], [expected, []])
  })
}

test('without a valid start, only the format of endDate is checked', () => {
  const found = readRepeatOptions({ repeat: 'daily', endDate: '2999-01-01T00:00:00Z' }, undefined)
  assert.deepEqual(found.value?.endsBy, new Date('2999-01-01T00:00:00Z'))
})
