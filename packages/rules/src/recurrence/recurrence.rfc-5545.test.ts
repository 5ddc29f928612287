import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRule } from '../../test-vectors/rrule-text.ts'
import { occurrences } from './recurrence.ts'

// Every example of RFC 5545, 3.8.5.3 that repeats daily, weekly or monthly, in order. All start at 9:00 in New York and
// stay at 9:00 there. COUNT becomes the number of compared starts. Several rules on one line are several of our series,
// which together express the one rule of the example.
const examples = [
  ['daily for 10 occurrences', '1997-09-02', ['FREQ=DAILY'], '1997-09: 2 3 4 5 6 7 8 9 10 11'],
  [
    'every other day, forever',
    '1997-09-02',
    ['FREQ=DAILY;INTERVAL=2'],
    '1997-09: 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30; 1997-10: 2 4 6',
  ],
  ['every 10 days, 5 occurrences', '1997-09-02', ['FREQ=DAILY;INTERVAL=10'], '1997-09: 2 12 22; 1997-10: 2 12'],
  [
    'weekly for 10 occurrences',
    '1997-09-02',
    ['FREQ=WEEKLY;WKST=SU;BYDAY=TU'],
    '1997-09: 2 9 16 23 30; 1997-10: 7 14 21 28; 1997-11: 4',
  ],
  [
    'every other week, forever',
    '1997-09-02',
    ['FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=TU'],
    '1997-09: 2 16 30; 1997-10: 14 28; 1997-11: 11 25; 1997-12: 9 23; 1998-01: 6 20; 1998-02: 3 17',
  ],
  [
    'every other week on Tuesday and Thursday, for 8 occurrences',
    '1997-09-02',
    ['FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=TU,TH'],
    '1997-09: 2 4 16 18 30; 1997-10: 2 14 16',
  ],
  [
    'monthly on the first Friday for 10 occurrences',
    '1997-09-05',
    ['FREQ=MONTHLY;BYDAY=1FR'],
    '1997-09: 5; 1997-10: 3; 1997-11: 7; 1997-12: 5; 1998-01: 2; 1998-02: 6; 1998-03: 6; 1998-04: 3; 1998-05: 1; 1998-06: 5',
  ],
  [
    'every other month on the first and last Sunday for 10 occurrences',
    '1997-09-07',
    ['FREQ=MONTHLY;INTERVAL=2;BYDAY=1SU,-1SU'],
    '1997-09: 7 28; 1997-11: 2 30; 1998-01: 4 25; 1998-03: 1 29; 1998-05: 3 31',
  ],
  [
    'monthly on the 2nd and 15th for 10 occurrences',
    '1997-09-02',
    ['FREQ=MONTHLY;BYMONTHDAY=2', 'FREQ=MONTHLY;BYMONTHDAY=15'],
    '1997-09: 2 15; 1997-10: 2 15; 1997-11: 2 15; 1997-12: 2 15; 1998-01: 2 15',
  ],
  [
    'monthly on the first and last day for 10 occurrences',
    '1997-09-30',
    ['FREQ=MONTHLY;BYMONTHDAY=1', 'FREQ=MONTHLY;BYMONTHDAY=-1'],
    '1997-09: 30; 1997-10: 1 31; 1997-11: 1 30; 1997-12: 1 31; 1998-01: 1 31; 1998-02: 1',
  ],
  [
    'every 18 months on the 10th thru 15th for 10 occurrences',
    '1997-09-10',
    [10, 11, 12, 13, 14, 15].map((date) => `FREQ=MONTHLY;INTERVAL=18;BYMONTHDAY=${date}`),
    '1997-09: 10 11 12 13 14 15; 1999-03: 10 11 12 13',
  ],
  [
    'every Tuesday, every other month',
    '1997-09-02',
    ['FREQ=MONTHLY;INTERVAL=2;BYDAY=1TU,2TU,3TU,4TU,-1TU'],
    '1997-09: 2 9 16 23 30; 1997-11: 4 11 18 25; 1998-01: 6 13 20 27; 1998-03: 3 10 17 24 31',
  ],
  [
    'an invalid date (February 30) is ignored',
    '2007-01-15',
    ['FREQ=MONTHLY;BYMONTHDAY=15', 'FREQ=MONTHLY;BYMONTHDAY=30'],
    '2007-01: 15 30; 2007-02: 15; 2007-03: 15 30',
  ],
  [
    'where the week begins matters: on Sunday',
    '1997-08-05',
    ['FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=TU,SU'],
    '1997-08: 5 17 19 31',
  ],
] as const

const until = [
  ['daily until December 24, 1997', '1997-09-02', 'FREQ=DAILY', '1997-12-24T00:00:00Z', 113, '1997-12-23'],
  [
    'weekly until December 24, 1997',
    '1997-09-02',
    'FREQ=WEEKLY;WKST=SU;BYDAY=TU',
    '1997-12-24T00:00:00Z',
    17,
    '1997-12-23',
  ],
  [
    'weekly on Tuesday and Thursday for five weeks',
    '1997-09-02',
    'FREQ=WEEKLY;WKST=SU;BYDAY=TU,TH',
    '1997-10-07T00:00:00Z',
    10,
    '1997-10-02',
  ],
  [
    'every other week on Monday, Wednesday and Friday until December 24, 1997',
    '1997-09-01',
    'FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=MO,WE,FR',
    '1997-12-24T00:00:00Z',
    25,
    '1997-12-22',
  ],
  [
    'monthly on the first Friday until December 24, 1997',
    '1997-09-05',
    'FREQ=MONTHLY;BYDAY=1FR',
    '1997-12-24T00:00:00Z',
    4,
    '1997-12-05',
  ],
] as const

// The other examples, and what our rules lack for them. YEARLY, HOURLY and MINUTELY lack the frequency itself.
const beyondOurRules = [
  ['every day in January, for 3 years', 'FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1', 'a choice of months'],
  ['monthly on the second-to-last Monday', 'FREQ=MONTHLY;COUNT=6;BYDAY=-2MO', 'second to last'],
  ['monthly on the third-to-the-last day', 'FREQ=MONTHLY;BYMONTHDAY=-3', 'third to last'],
  ['every Friday the 13th', 'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13', 'a weekday and a date at once'],
  [
    'Saturday after the first Sunday',
    'FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13',
    'a weekday and dates at once',
  ],
  ['third Tuesday, Wednesday or Thursday', 'FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3', 'a choice among matches'],
  ['second-to-last weekday', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2', 'a choice among matches'],
  ['every 20 minutes', 'FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40', 'several times a day'],
  [
    'the week begins on Monday',
    'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO',
    'weeks from another day than Sunday',
  ],
] as const

const timeZone = 'America/New_York'
const at9 = (date: string) =>
  new Date(Temporal.PlainDate.from(date).toZonedDateTime({ timeZone, plainTime: '09:00' }).epochMilliseconds)

const series = (rule: string, startsOn: string, endsBy: Date | null) =>
  ({
    startsAt: at9(startsOn),
    durationMs: 0,
    timeZone,
    rule: readRule(rule),
    endsBy,
    cancelled: [],
    changed: [],
  }) as const

/** '1997-09: 2 12; 1997-10: 2' → the three days, at nine. */
const listed = (days: string) =>
  days.split('; ').flatMap((month) => {
    const [name = '', list = ''] = month.split(': ')
    return list.split(' ').map((day) => at9(`${name}-${day.padStart(2, '0')}`))
  })

for (const [name, startsOn, rules, days] of examples) {
  test(`RFC 5545: ${name}`, () => {
    const expected = listed(days)
    const starts = rules
      .flatMap((rule) => [...occurrences(series(rule, startsOn, null)).take(expected.length)])
      .map((occurrence) => occurrence.startsAt)
      .sort((one, other) => one.getTime() - other.getTime())
    assert.deepEqual(starts.slice(0, expected.length), expected)
  })
}

for (const [name, startsOn, rule, endsBy, howMany, lastOn] of until) {
  test(`RFC 5545: ${name}`, () => {
    const starts = [...occurrences(series(rule, startsOn, new Date(endsBy)))].map((occurrence) => occurrence.startsAt)
    assert.equal(starts.length, howMany)
    assert.deepEqual(starts.at(-1), at9(lastOn))
  })
}

for (const [name, rule, lacking] of beyondOurRules) {
  test(`RFC 5545: ${name} is refused, because our rules lack ${lacking}`, () => assert.throws(() => readRule(rule)))
}
