import assert from 'node:assert/strict'
import { test } from 'node:test'
import { momentIn, readWallTime } from './wall-time-text.ts'

const read = (text: string, timeZone: string) => readWallTime('/startTime', text, timeZone)
const taken = [
  ['2027-03-28T01:59', 'Europe/Berlin', '2027-03-28T00:59:00.000Z', 'the minute before the clock goes forward'],
  ['2027-03-28T03:00', 'Europe/Berlin', '2027-03-28T01:00:00.000Z', 'the minute after it'],
  ['2027-10-31T01:59', 'Europe/Berlin', '2027-10-30T23:59:00.000Z', 'the minute before the repeated hour'],
  ['2027-10-31T03:00', 'Europe/Berlin', '2027-10-31T02:00:00.000Z', 'the minute after it'],
  ['2027-10-31T02:30+02:00', 'Europe/Berlin', '2027-10-31T00:30:00.000Z', 'the first of two, by its offset'],
  ['2027-10-31T02:30+01:00', 'Europe/Berlin', '2027-10-31T01:30:00.000Z', 'the second of two, by its offset'],
  ['2027-04-05T09:00:00', 'Asia/Kolkata', '2027-04-05T03:30:00.000Z', 'seconds that are zero'],
  ['2027-04-05T09:00+05:30', 'Asia/Kolkata', '2027-04-05T03:30:00.000Z', 'an offset that says nothing new'],
  ['2027-04-05T09:00Z', 'UTC', '2027-04-05T09:00:00.000Z', 'Z in UTC'],
  ['2028-02-29T09:00', 'UTC', '2028-02-29T09:00:00.000Z', 'a leap day'],
] as const

for (const [text, timeZone, instant, what] of taken) {
  test(`${text} in ${timeZone} is ${instant}: ${what}`, () => {
    assert.equal(read(text, timeZone).value?.toISOString(), instant)
  })
}

const refused = [
  [
    '2027-03-28T02:30',
    'Europe/Berlin',
    'skipped_time',
    'startTime is 02:30, which does not exist on 28 March 2027 in Europe/Berlin: ask for 01:30 or 03:30.',
  ],
  [
    '2027-03-28T02:30+01:00',
    'Europe/Berlin',
    'skipped_time',
    'startTime is 02:30, which does not exist on 28 March 2027 in Europe/Berlin: ask for 01:30 or 03:30.',
  ],
  [
    '2026-10-04T02:15',
    'Australia/Lord_Howe',
    'skipped_time',
    'startTime is 02:15, which does not exist on 4 October 2026 in Australia/Lord_Howe: ask for 01:45 or 02:45.',
  ],
  [
    '2011-12-30T09:00',
    'Pacific/Apia',
    'skipped_time',
    'startTime is 09:00, which does not exist on 30 December 2011 in Pacific/Apia: ask for 09:00 on 29 December 2011 or 09:00 on 31 December 2011.',
  ],
  [
    '2027-10-31T02:30',
    'Europe/Berlin',
    'repeated_time',
    'startTime is 02:30, which happens twice on 31 October 2027 in Europe/Berlin, first at +02:00 and again at +01:00: ask which is meant, and send 2027-10-31T02:30+02:00 or 2027-10-31T02:30+01:00.',
  ],
  [
    '2027-04-05T09:00Z',
    'Europe/Berlin',
    'wrong_offset',
    'startTime has the offset +00:00, but in Europe/Berlin it is +02:00 on 5 April 2027 at 09:00: leave it out, or ask which zone is meant.',
  ],
] as const

for (const [text, timeZone, code, message] of refused) {
  test(`refuses ${text} in ${timeZone}: ${code}`, () => {
    assert.deepEqual(read(text, timeZone).violations, [{ path: '/startTime', code, message }])
  })
}

for (const text of [
  '2027-02-30T09:00',
  '2027-04-05',
  '09:00',
  '2027-04-05T09:00:30',
  '2027-04-05 09:00',
  'tomorrow',
  '',
]) {
  test(`refuses ${JSON.stringify(text)}, which is no date and time`, () => {
    assert.deepEqual(
      read(text, 'UTC').violations?.map(({ code }) => code),
      ['bad_format'],
    )
  })
}

test('describes an instant as the clock of the zone shows it', () => {
  assert.deepEqual(momentIn('Europe/Berlin', new Date('2027-03-29T07:00:00Z')), {
    weekday: 'Monday',
    local: '2027-03-29T09:00',
    timeZone: 'Europe/Berlin',
    offset: '+02:00',
    utc: '2027-03-29T07:00:00.000Z',
  })
  assert.deepEqual(momentIn('Pacific/Auckland', new Date('2027-03-28T12:30:00Z')), {
    weekday: 'Monday',
    local: '2027-03-29T01:30',
    timeZone: 'Pacific/Auckland',
    offset: '+13:00',
    utc: '2027-03-28T12:30:00.000Z',
  })
})
