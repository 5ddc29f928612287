import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heldSeries } from '@parley/rules/meetings/cancellation'
import { occurrences, type RecurrenceRule, type Series } from '@parley/rules/recurrence/recurrence'
import fc from 'fast-check'
import ical, { ICalAlarmType, ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import { datesBetween, readCalendar } from '../../../../../test/calendar-readers/read-with-ical-js.ts'
import { randomRuns } from '../../../../../test/helpers/random-runs.ts'
import { compose, composeFeedOf, invitation, seriesOf } from '../../../test/meetings/calendar-inputs.ts'
import { datesOfYear, randomSeries, yearMs } from '../../../test/meetings/random-series.ts'
import type { CalendarInput } from './calendar-input.ts'

const mondays: RecurrenceRule = { repeat: 'weekly', interval: 1, daysOfWeek: [0, 1, 0, 0, 0, 0, 0] }
const weekly = (changes: Partial<Series> = {}) => seriesOf({ rule: mondays, ...changes })

/** Without folds. */
const linesOf = (calendar: string): string[] => calendar.replaceAll('\r\n ', '').split('\r\n').slice(0, -1)

/** The lines of each VEVENT, without those of its alarms and without BEGIN and END. */
async function eventsOf(input: CalendarInput): Promise<string[][]> {
  const events: string[][] = []
  let within: string[] | undefined
  for (const line of linesOf(await compose(input))) {
    if (line === 'BEGIN:VEVENT') within = []
    else if (line === 'END:VEVENT' && within !== undefined) events.push(within)
    else within?.push(line)
  }
  return events
}

const named = async (input: CalendarInput, ...names: string[]): Promise<string[]> =>
  ((await eventsOf(input))[0] ?? []).filter((line) => names.includes(line.split(/[;:]/)[0] ?? ''))

test('composes a complete invitation (RFC 5546, 4.2.1)', async () => {
  const input = invitation({ description: 'Bring coffee.', reminderMinutes: 15, series: weekly() })
  const attendee =
    'ATTENDEE;CN="Bob Test";CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:bob@example.org'
  assert.deepEqual(
    linesOf(await compose(input)),
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Parley//Parley//EN',
      'CALSCALE:GREGORIAN',
      'METHOD:REQUEST',
      'BEGIN:VTIMEZONE',
      'TZID:America/New_York',
      'BEGIN:STANDARD',
      'DTSTART:20251102T020000',
      'TZOFFSETFROM:-0400',
      'TZOFFSETTO:-0500',
      'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU',
      'END:STANDARD',
      'BEGIN:DAYLIGHT',
      'DTSTART:20260308T020000',
      'TZOFFSETFROM:-0500',
      'TZOFFSETTO:-0400',
      'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU',
      'END:DAYLIGHT',
      'END:VTIMEZONE',
      'BEGIN:VEVENT',
      'UID:019aa4c2-6f00-7000-8000-5b1d2c3e4f50',
      'DTSTAMP:20260101T000000Z',
      'LAST-MODIFIED:20260101T000000Z',
      'SEQUENCE:0',
      'DTSTART;TZID="America/New_York":20260105T090000',
      'DTEND;TZID="America/New_York":20260105T093000',
      'RRULE:FREQ=WEEKLY;INTERVAL=1;WKST=SU;BYDAY=MO',
      'SUMMARY:Stand-up',
      'DESCRIPTION:Bring coffee.',
      'LOCATION:https://meet.example.org/j/1234567890#pin=abcdef',
      'URL:https://meet.example.org/j/1234567890#pin=abcdef',
      'CONFERENCE;VALUE=URI;FEATURE=AUDIO,VIDEO;LABEL="Join the meeting":https://meet.example.org/j/1234567890#pin=abcdef',
      'ORGANIZER;CN="Alice Test":mailto:alice@example.org',
      attendee,
      'STATUS:CONFIRMED',
      'TRANSP:OPAQUE',
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'DESCRIPTION:Stand-up',
      'TRIGGER:-PT15M',
      'END:VALARM',
      'END:VEVENT',
      'END:VCALENDAR',
    ].map((line) => line.replaceAll('"America/New_York"', 'America/New_York')),
  )
})

test('gives an update the same UID, a higher SEQUENCE (RFC 5546, 4.2.2), and a new DTSTAMP', async () => {
  const stamp = new Date('2026-02-01T10:11:12.999Z')
  const update = invitation({ sequence: 3, stamp, modifiedAt: new Date('2026-02-01T10:00:00Z') })
  assert.deepEqual(await named(update, 'UID', 'SEQUENCE', 'DTSTAMP', 'LAST-MODIFIED'), [
    `UID:${invitation().uid}`,
    'DTSTAMP:20260201T101112Z',
    'LAST-MODIFIED:20260201T100000Z',
    'SEQUENCE:3',
  ])
})

test('includes a recorded response', async () => {
  for (const response of ['accepted', 'tentative', 'declined'] as const) {
    const [attendee] = await named(invitation({ attendee: { email: 'bob@example.org', response } }), 'ATTENDEE')
    assert.match(String(attendee), new RegExp(`PARTSTAT=${response.toUpperCase()};RSVP=TRUE:mailto:bob@example.org$`))
  }
})

test('gives a date its own response, and states each date that was answered apart', async () => {
  const series = weekly({
    cancelled: [new Date('2026-01-26T14:00:00Z')],
    changed: [
      {
        originalStart: new Date('2026-01-19T14:00:00Z'),
        times: { startsAt: new Date('2026-01-19T16:00:00Z'), endsAt: new Date('2026-01-19T16:30:00Z') },
        topic: null,
        description: null,
        location: null,
      },
    ],
  })
  const answered = (day: number, response: 'declined' | null) => ({
    originalStart: new Date(`2026-01-${day}T14:00:00Z`),
    response,
  })
  // On the 26th it is cancelled, on the 27th there is none.
  const occurrences = [answered(12, 'declined'), answered(19, null), answered(26, 'declined'), answered(27, 'declined')]
  const attendee = { email: 'bob@example.org', response: 'accepted' as const, occurrences }
  const shown = async (input: CalendarInput) =>
    (await eventsOf(input)).map((lines) => [
      lines.find((line) => line.startsWith('RECURRENCE-ID'))?.slice(-15),
      lines.find((line) => line.startsWith('DTSTART'))?.slice(-15),
      /PARTSTAT=([A-Z-]+)/.exec(lines.join())?.[1],
    ])
  const expected = [
    [undefined, '20260105T090000', 'ACCEPTED'],
    ['20260112T090000', '20260112T090000', 'DECLINED'],
    ['20260119T090000', '20260119T110000', 'NEEDS-ACTION'],
  ]
  assert.deepEqual(await shown(invitation({ series, attendee })), expected)
  assert.deepEqual(await shown(invitation({ series, attendee, method: 'CANCEL', status: 'CANCELLED' })), expected)
  assert.deepEqual(await shown(invitation({ series, attendee, occurrence: new Date('2026-01-12T14:00:00Z') })), [
    expected[1],
  ])
  const only = [new Date('2026-01-12T14:00:00Z'), new Date('2026-01-27T14:00:00Z')]
  assert.deepEqual(await shown(invitation({ series, attendee, only })), [expected[1]])
})

test('cancels one instance by its RECURRENCE-ID, in the form of DTSTART (RFC 5546, 4.4.3)', async () => {
  const input = invitation({
    method: 'CANCEL',
    status: 'CANCELLED',
    sequence: 1,
    reminderMinutes: 15,
    series: weekly(),
    occurrence: new Date('2026-07-06T13:00:00Z'),
  })
  const [event = [], ...others] = await eventsOf(input)
  assert.deepEqual(others, [])
  assert.ok((await compose(input)).includes('\r\nMETHOD:CANCEL\r\n'))
  assert.deepEqual(await named(input, 'DTSTART', 'RECURRENCE-ID', 'RRULE', 'STATUS', 'SEQUENCE'), [
    'SEQUENCE:1',
    'DTSTART;TZID=America/New_York:20260706T090000',
    'RECURRENCE-ID;TZID=America/New_York:20260706T090000',
    'STATUS:CANCELLED',
  ])
  // A cancelled meeting needs no response and no reminder.
  assert.equal(
    event.some((line) => /RSVP|VALARM/.test(line)),
    false,
  )
})

test('cancels a whole series without a RECURRENCE-ID (RFC 5546, 4.2.9)', async () => {
  const input = invitation({ method: 'CANCEL', status: 'CANCELLED', series: weekly() })
  assert.equal((await eventsOf(input)).length, 1)
  assert.deepEqual(await named(input, 'RECURRENCE-ID', 'STATUS'), ['STATUS:CANCELLED'])
})

test('tells a removed attendee that they are uninvited, not that the meeting is cancelled (RFC 5546, 3.2.5 and 4.2.10)', async () => {
  const input = invitation({ method: 'CANCEL', status: 'CONFIRMED', series: weekly() })
  assert.deepEqual(await named(input, 'STATUS'), [])
  assert.match(String(await named(input, 'ATTENDEE')), /:mailto:bob@example\.org$/)
})

test('names no attendee in a published calendar (RFC 5546, 3.2.1)', async () => {
  const input = invitation({ method: 'PUBLISH', attendee: null })
  assert.deepEqual(await named(input, 'ATTENDEE'), [])
  assert.deepEqual(await named(input, 'ORGANIZER'), ['ORGANIZER;CN="Alice Test":mailto:alice@example.org'])
  assert.ok((await compose(input)).includes('\r\nMETHOD:PUBLISH\r\n'))
})

test('writes a file without METHOD, which CalDAV servers refuse (RFC 4791, 4.1)', async () => {
  const lines = linesOf(await compose(invitation({ method: null, attendee: null, series: weekly() })))
  assert.deepEqual(
    lines.filter((line) => line.startsWith('METHOD')),
    [],
  )
  assert.ok(lines.includes('STATUS:CONFIRMED'))
})

test('names the host as organizer, and the sender where its address differs (RFC 5545, 3.2.18)', async () => {
  const organizer = (sentBy: string) =>
    named(invitation({ organizer: { name: 'Alice Test', email: 'alice@example.org', sentBy } }), 'ORGANIZER')
  assert.deepEqual(await organizer('parley@meet.example.org'), [
    'ORGANIZER;CN="Alice Test";SENT-BY="mailto:parley@meet.example.org":mailto:alice@example.org',
  ])
  assert.deepEqual(await organizer('alice@example.org'), ['ORGANIZER;CN="Alice Test":mailto:alice@example.org'])
})

test('gives the join link in CONFERENCE (RFC 7986, 5.11), unless there is nothing to join', async () => {
  const conference = { label: 'Join "now"; or, later', address: 'https://meet.example.org/j/1#pin=abc' }
  const [line] = await named(invitation({ conference }), 'CONFERENCE')
  assert.equal(
    line,
    `CONFERENCE;VALUE=URI;FEATURE=AUDIO,VIDEO;LABEL="Join ^'now^'; or, later":https://meet.example.org/j/1#pin=abc`,
  )
  const read = readCalendar(await compose(invitation({ conference }))).events[0]?.component
  assert.equal(read?.getFirstPropertyValue('conference'), conference.address)
  assert.deepEqual(await named(invitation({ method: 'CANCEL', status: 'CANCELLED', conference }), 'CONFERENCE'), [])
  // A removed attendee gets no join details either: the PIN may have changed.
  const cancelled = invitation({ method: 'CANCEL', status: 'CONFIRMED', conference })
  assert.deepEqual(await named(cancelled, 'DESCRIPTION', 'LOCATION', 'URL'), [])
  assert.equal((await named(invitation({ conference }), 'LOCATION', 'URL')).length, 2)
})

const week = [0, 0, 0, 0, 0, 0, 0]
const rules: readonly (readonly [string, RecurrenceRule, string])[] = [
  ['each third day', { repeat: 'daily', interval: 3 }, 'FREQ=DAILY;INTERVAL=3'],
  [
    'weeks begin on Sunday, where it matters',
    { repeat: 'weekly', interval: 2, daysOfWeek: [1, 1, 0, 0, 0, 0, 1] },
    'FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=SU,MO,SA',
  ],
  [
    'a date',
    { repeat: 'monthly', interval: 1, on: { kind: 'date', dateInMonth: 31 } },
    'FREQ=MONTHLY;INTERVAL=1;BYMONTHDAY=31',
  ],
  [
    'the last day',
    { repeat: 'monthly', interval: 1, on: { kind: 'last-day' } },
    'FREQ=MONTHLY;INTERVAL=1;BYMONTHDAY=-1',
  ],
  [
    'the first Monday and the last Friday',
    {
      repeat: 'monthly',
      interval: 6,
      on: { kind: 'weeks', weeksInMonth: [1, 0, 0, 0, 1], daysOfWeek: week.with(1, 1).with(5, 1) },
    },
    'FREQ=MONTHLY;INTERVAL=6;BYDAY=1MO,1FR,-1MO,-1FR',
  ],
]
for (const [what, rule, text] of rules) {
  test(`a rule: ${what}`, async () =>
    assert.deepEqual(await named(invitation({ series: seriesOf({ rule }) }), 'RRULE'), [`RRULE:${text}`]))
}

test('starts with the first date of the rule, not the day before it that was sent as the start', async () => {
  const series = weekly({ startsAt: new Date('2026-01-01T14:00:00Z') })
  assert.deepEqual(await named(invitation({ series }), 'DTSTART'), ['DTSTART;TZID=America/New_York:20260105T090000'])
})

test('writes UNTIL in UTC, equal to the last date of the series', async () => {
  const until = (endsBy: string) => named(invitation({ series: weekly({ endsBy: new Date(endsBy) }) }), 'RRULE')
  const rule = 'RRULE:FREQ=WEEKLY;INTERVAL=1;WKST=SU;BYDAY=MO;UNTIL='
  // 09:00 in New York: an hour earlier in UTC from March on.
  assert.deepEqual(await until('2026-03-09T13:00:00Z'), [`${rule}20260309T130000Z`])
  assert.deepEqual(await until('2026-03-09T12:59:59Z'), [`${rule}20260302T140000Z`])
})

test('writes each skipped date as an EXDATE on its own line, in the zone', async () => {
  const cancelled = ['2026-03-09T13:00:00Z', '2026-01-12T14:00:00Z', '2026-01-13T14:00:00Z'].map(
    (date) => new Date(date),
  )
  assert.deepEqual(await named(invitation({ series: weekly({ cancelled }) }), 'EXDATE'), [
    'EXDATE;TZID=America/New_York:20260112T090000',
    'EXDATE;TZID=America/New_York:20260309T090000',
  ])
})

const sundays: RecurrenceRule = { repeat: 'weekly', interval: 1, daysOfWeek: [1, 0, 0, 0, 0, 0, 0] }
const nightly = (changes: Partial<Series> = {}) =>
  seriesOf({ startsAt: new Date('2026-03-01T07:30:00Z'), rule: sundays, endsBy: new Date('2026-04-01'), ...changes })

test('states a date in a skipped hour by an override, and cancels it by the same name', async () => {
  const input = invitation({ series: nightly() })
  const [, moved = []] = await eventsOf(input)
  const isTime = (line: string) => /^(DTSTART|DTEND|RECURRENCE-ID|UID|SEQUENCE)/.test(line)
  assert.deepEqual(moved.filter(isTime), [
    `UID:${input.uid}`,
    'SEQUENCE:0',
    'DTSTART;TZID=America/New_York:20260308T033000',
    'DTEND;TZID=America/New_York:20260308T040000',
    'RECURRENCE-ID;TZID=America/New_York:20260308T023000',
  ])
  const occurrence = new Date('2026-03-08T07:30:00Z')
  const cancelled = invitation({ method: 'CANCEL', status: 'CANCELLED', series: nightly(), occurrence })
  assert.deepEqual(await named(cancelled, 'RECURRENCE-ID'), ['RECURRENCE-ID;TZID=America/New_York:20260308T023000'])
  const rest = invitation({ series: nightly({ cancelled: [occurrence] }) })
  assert.equal((await eventsOf(rest)).length, 1)
  assert.deepEqual(await named(rest, 'EXDATE'), ['EXDATE;TZID=America/New_York:20260308T023000'])
})

test('names every override of a cancelled series, because some calendars cancel by instance', async () => {
  for (const [status, said] of [
    ['CANCELLED', ['STATUS:CANCELLED', 'STATUS:CANCELLED']],
    ['CONFIRMED', []],
  ] as const) {
    const input = invitation({ method: 'CANCEL', status, sequence: 3, series: nightly() })
    const lines = (await eventsOf(input)).flat()
    assert.deepEqual(
      lines.filter((line) => line.startsWith('STATUS')),
      said,
    )
    assert.deepEqual(
      lines.filter((line) => /^(RECURRENCE-ID|SEQUENCE)/.test(line)),
      ['SEQUENCE:3', 'SEQUENCE:3', 'RECURRENCE-ID;TZID=America/New_York:20260308T023000'],
    )
    assert.equal((await eventsOf(input)).length, 2)
  }
})

test('names the overrides of earlier years when an open series ends, too', async () => {
  const stamp = new Date('2030-01-01T00:00:00Z')
  const open = nightly({ endsBy: null })
  const yearsOf = async (changes: Partial<CalendarInput>) =>
    (await eventsOf(invitation({ series: open, stamp, ...changes })))
      .flat()
      .flatMap((line) => /^RECURRENCE-ID.*:(\d{4})/.exec(line)?.[1] ?? [])
  const asked = await yearsOf({})
  const cancelled = await yearsOf({ method: 'CANCEL', status: 'CANCELLED' })
  assert.ok(!asked.includes('2027') && cancelled.includes('2027'), `${asked} and ${cancelled}`)
  for (const year of asked) assert.ok(cancelled.includes(year), year)
})

test('accepts such a date as the first of a series', async () => {
  const input = invitation({ series: nightly({ startsAt: new Date('2026-03-07T07:30:00Z') }) })
  assert.deepEqual(await named(input, 'DTSTART', 'DTEND', 'DURATION'), [
    'DTSTART;TZID=America/New_York:20260308T023000',
    'DURATION:PT30M',
  ])
  assert.equal((await eventsOf(input)).length, 2)
})

test('writes a single meeting in a repeated hour in UTC', async () => {
  const times = (startsAt: string) =>
    named(invitation({ series: seriesOf({ startsAt: new Date(startsAt) }) }), 'DTSTART')
  assert.deepEqual(await times('2026-11-01T05:15:00Z'), ['DTSTART:20261101T051500Z'])
  assert.deepEqual(await times('2026-11-01T06:15:00Z'), ['DTSTART:20261101T061500Z'])
  assert.deepEqual(await times('2026-11-01T07:15:00Z'), ['DTSTART;TZID=America/New_York:20261101T021500'])
})

test('names zones without a name for calendars', async () => {
  const zone = async (timeZone: string) =>
    (await named(invitation({ series: weekly({ timeZone }) }), 'DTSTART'))[0]?.split(/[=:]/)[1]
  const names = await Promise.all(['+05:30', '+05:00', '-12:00', '+14:00', '+00:00', 'UTC', 'Asia/Calcutta'].map(zone))
  assert.deepEqual(names, ['UTC+0530', 'Etc/GMT-5', 'Etc/GMT+12', 'Etc/GMT-14', 'Etc/UTC', 'UTC', 'Asia/Calcutta'])
})

test('states each zone, its name and the refresh interval of a feed once', async () => {
  const published = { method: 'PUBLISH' as const, attendee: null }
  const about = { name: 'Parley; Alice', refreshMs: 3_600_000 }
  const feed = await composeFeedOf(about, [
    invitation({ ...published, uid: 'one', series: weekly() }),
    invitation({ ...published, uid: 'two' }),
    invitation({ ...published, uid: 'three', series: seriesOf({ timeZone: 'Asia/Kolkata' }) }),
  ])
  const lines = linesOf(feed)
  assert.deepEqual(
    lines.filter((line) => line.startsWith('TZID:')),
    ['TZID:America/New_York', 'TZID:Asia/Kolkata'],
  )
  for (const line of [
    'METHOD:PUBLISH',
    'NAME:Parley\\; Alice',
    'X-WR-CALNAME:Parley\\; Alice',
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
  ]) {
    assert.equal(lines.filter((other) => other === line).length, 1, line)
  }
  assert.deepEqual(
    readCalendar(feed).events.map(({ uid }) => uid),
    ['one', 'two', 'three'],
  )
  assert.deepEqual(readCalendar(await composeFeedOf({ name: 'Nothing', refreshMs: 60_000 }, [])).events, [])
})

test('ends a series by COUNT if it was set so, with all cancelled dates (RFC 5545, 3.3.10)', async () => {
  const [first, second, third] = ['05', '12', '19'].map((day) => new Date(`2026-01-${day}T14:00:00Z`))
  assert.ok(first && second && third)
  const counted = weekly({ rule: { ...mondays, count: 3 }, endsBy: new Date('2026-01-20T04:59:59Z') })
  assert.deepEqual(await named(invitation({ series: counted }), 'RRULE', 'EXDATE'), [
    'RRULE:FREQ=WEEKLY;INTERVAL=1;WKST=SU;BYDAY=MO;COUNT=3',
  ])
  // The last date stays in the count, so that readers need its EXDATE.
  assert.deepEqual(await named(invitation({ series: { ...counted, cancelled: [third] } }), 'RRULE', 'EXDATE'), [
    'RRULE:FREQ=WEEKLY;INTERVAL=1;WKST=SU;BYDAY=MO;COUNT=3',
    'EXDATE;TZID=America/New_York:20260119T090000',
  ])
  const ended = heldSeries(counted, second)
  assert.deepEqual(await named(invitation({ series: ended ?? counted }), 'RRULE'), [
    'RRULE:FREQ=WEEKLY;INTERVAL=1;WKST=SU;BYDAY=MO;UNTIL=20260112T140000Z',
  ])
})

test('COUNT includes a date that a clock change skips', async () => {
  // Samoa had no 30 December 2011.
  const series = seriesOf({
    startsAt: new Date('2011-12-28T18:00:00Z'),
    timeZone: 'Pacific/Apia',
    rule: { repeat: 'daily', interval: 1, count: 3 },
    endsBy: new Date('2011-12-31T09:59:59Z'),
  })
  const starts = [...occurrences(series)].map(({ startsAt }) => startsAt.toISOString())
  assert.deepEqual(starts, ['2011-12-28T18:00:00.000Z', '2011-12-29T18:00:00.000Z', '2011-12-30T18:00:00.000Z'])
  assert.deepEqual(await named(invitation({ series }), 'RRULE', 'EXDATE'), [
    'RRULE:FREQ=DAILY;INTERVAL=1;COUNT=4',
    'EXDATE;TZID=Pacific/Apia:20111230T080000',
  ])
})

async function datesByIcalJs(series: Series): Promise<string[]> {
  const { events } = readCalendar(await compose(invitation({ series, stamp: series.startsAt })))
  return datesBetween(events, series.startsAt, new Date(series.startsAt.getTime() + yearMs))
}

test('ical.js finds the same dates of a year as our API, in any zone, by any rule', async () => {
  const same = fc.asyncProperty(randomSeries(2060), async (series) => {
    const ours = datesOfYear(series)
    fc.pre(ours.length > 0)
    assert.deepEqual(await datesByIcalJs(series), ours)
  })
  await fc.assert(same, randomRuns(100))
})

const zoned = (text: string) => Temporal.ZonedDateTime.from(text)
test('ical-generator composes a plain meeting as we do', async () => {
  const theirs = ical({ method: ICalCalendarMethod.REQUEST })
  theirs.createEvent({
    id: invitation().uid,
    start: zoned('2026-01-05T09:00[America/New_York]'),
    end: zoned('2026-01-05T09:30[America/New_York]'),
    summary: invitation().topic,
    status: ICalEventStatus.CONFIRMED,
  })
  const [from, until] = [new Date('2026-01-01'), new Date('2026-02-01')]
  const [one, other] = [theirs.toString(), await compose(invitation())].map(readCalendar)
  assert.equal(one?.method, other?.method)
  assert.equal(one?.events[0]?.summary, other?.events[0]?.summary)
  assert.deepEqual(datesBetween(one?.events ?? [], from, until), datesBetween(other?.events ?? [], from, until))
})

// Recorded so that a newer version that fixes them is noticed; docs/decisions/0011 weighs them.
test('ical-generator lacks features that we need', async () => {
  const timezone = {
    name: 'America/New_York',
    generator: () => 'BEGIN:VTIMEZONE\r\nTZID:America/New_York\r\nEND:VTIMEZONE',
  }
  const calendar = ical({ timezone })
  calendar.createEvent({
    start: zoned('2026-03-01T02:30[America/New_York]'),
    stamp: zoned('2026-01-01T00:00[UTC]'),
    timezone: 'America/New_York',
    // The date in the skipped hour is identified by its planned time.
    recurrenceId: Temporal.PlainDateTime.from('2026-03-08T02:30'),
    url: 'https://meet.example.org/j/1;a,b',
    alarms: [{ type: ICalAlarmType.display, triggerBefore: 900 }],
    status: ICalEventStatus.CONFIRMED,
  })
  const lines = linesOf(calendar.toString())
  // RFC 5545, 3.8.7.2: DTSTAMP is in UTC.
  assert.ok(lines.includes('DTSTAMP:20251231T190000'))
  assert.ok(lines.includes('RECURRENCE-ID;TZID=America/New_York:20260308T033000'))
  // RFC 5545, 3.3.13: nothing is escaped in a URI.
  assert.ok(lines.includes('URL;VALUE=URI:https://meet.example.org/j/1\\;a\\,b'))
  // RFC 5545, 3.6.1: alarms come after all properties.
  assert.ok(lines.indexOf('STATUS:CONFIRMED') > lines.indexOf('END:VALARM'))

  const inUtc = ical()
  inUtc.createEvent({ start: zoned('2026-03-01T02:30[UTC]'), timezone: 'UTC', repeating: 'FREQ=DAILY' })
  // Recurring meetings need a TZID, so that their times follow the zone.
  assert.ok(linesOf(inUtc.toString()).includes('DTSTART:20260301T023000Z'))
  const ours = await compose(
    invitation({ series: seriesOf({ timeZone: 'UTC', rule: { repeat: 'daily', interval: 1 } }) }),
  )
  assert.ok(linesOf(ours).includes('DTSTART;TZID=UTC:20260105T140000'))
})
