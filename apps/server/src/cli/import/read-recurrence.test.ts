import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsOf, toRepeatOptions } from './read-recurrence.ts'

/** Monday, 7 January 2030. */
const first = { month: 1, day: 7, weekday: 1 }

const rows: readonly (readonly [rule: string, options: object | undefined])[] = [
  ['FREQ=DAILY', { repeat: 'daily', interval: 1 }],
  ['FREQ=DAILY;INTERVAL=3;COUNT=5', { repeat: 'daily', interval: 3, count: 5 }],
  ['FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR', { repeat: 'weekly', interval: 1, daysOfWeek: [0, 1, 1, 1, 1, 1, 0] }],
  ['FREQ=DAILY;INTERVAL=2;BYDAY=MO', undefined],
  ['FREQ=WEEKLY', { repeat: 'weekly', interval: 1, daysOfWeek: [0, 1, 0, 0, 0, 0, 0] }],
  ['FREQ=WEEKLY;WKST=MO;INTERVAL=2;BYDAY=TU,TH', { repeat: 'weekly', interval: 2, daysOfWeek: [0, 0, 1, 0, 1, 0, 0] }],
  ['FREQ=MONTHLY', { repeat: 'monthly', interval: 1, dateInMonth: 7 }],
  ['FREQ=MONTHLY;BYMONTHDAY=31', { repeat: 'monthly', interval: 1, dateInMonth: 31 }],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', { repeat: 'monthly', interval: 1, lastDayOfMonth: true }],
  ['FREQ=MONTHLY;BYMONTHDAY=1,15', undefined],
  ['FREQ=MONTHLY;BYMONTHDAY=-2', undefined],
  [
    'FREQ=MONTHLY;BYDAY=1MO',
    { repeat: 'monthly', interval: 1, weeksInMonth: [1, 0, 0, 0, 0], daysOfWeek: [0, 1, 0, 0, 0, 0, 0] },
  ],
  [
    'FREQ=MONTHLY;BYDAY=-1FR',
    { repeat: 'monthly', interval: 1, weeksInMonth: [0, 0, 0, 0, 1], daysOfWeek: [0, 0, 0, 0, 0, 1, 0] },
  ],
  [
    'FREQ=MONTHLY;BYDAY=TU;BYSETPOS=2',
    { repeat: 'monthly', interval: 1, weeksInMonth: [0, 1, 0, 0, 0], daysOfWeek: [0, 0, 1, 0, 0, 0, 0] },
  ],
  [
    'FREQ=MONTHLY;BYDAY=1MO,3MO',
    { repeat: 'monthly', interval: 1, weeksInMonth: [1, 0, 1, 0, 0], daysOfWeek: [0, 1, 0, 0, 0, 0, 0] },
  ],
  ['FREQ=MONTHLY;BYDAY=1MO,3TU', undefined],
  ['FREQ=MONTHLY;BYDAY=5MO', undefined],
  ['FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1', undefined],
  ['FREQ=YEARLY', { repeat: 'monthly', interval: 12, dateInMonth: 7 }],
  ['FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=7', { repeat: 'monthly', interval: 12, dateInMonth: 7 }],
  [
    'FREQ=YEARLY;BYMONTH=1;BYDAY=1MO',
    { repeat: 'monthly', interval: 12, weeksInMonth: [1, 0, 0, 0, 0], daysOfWeek: [0, 1, 0, 0, 0, 0, 0] },
  ],
  ['FREQ=YEARLY;BYMONTH=1,7', undefined],
  ['FREQ=YEARLY;BYDAY=20MO', undefined],
  ['FREQ=HOURLY', undefined],
  ['FREQ=DAILY;BYHOUR=9,12', undefined],
]

for (const [rule, options] of rows)
  test(`${rule} ${options === undefined ? 'is not expressed' : 'is expressed'}`, () => {
    assert.deepEqual(toRepeatOptions(partsOf(rule), first), options)
  })
