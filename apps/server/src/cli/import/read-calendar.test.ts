import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FoundEntry, type FoundMeeting, Unreadable } from './found-entry.ts'
import { readCalendar } from './read-calendar.ts'

const context = { defaultZone: 'Asia/Kolkata', timeZoneAliases: new Map<string, string>() }
const calendar = (...events: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', ...events, 'END:VCALENDAR'].join('\r\n')
const event = (...lines: string[]) =>
  ['BEGIN:VEVENT', 'UID:one@test', 'SUMMARY:Review', ...lines, 'END:VEVENT'].join('\r\n')
const times = ['DTSTART:20300107T090000Z', 'DTEND:20300107T093000Z']
const read = (...events: string[]) => readCalendar(calendar(...events), context)

async function meetingOf(...lines: string[]): Promise<FoundMeeting> {
  const [found] = await read(event(...lines))
  assert.equal(found?.kind, 'meeting', JSON.stringify(found))
  return found as FoundMeeting
}

const reasonOf = (found: FoundEntry | undefined) => (found && 'reason' in found ? [found.kind, found.reason] : found)

test('a single event in UTC is shown in the zone of the calendar, or that of the host', async () => {
  const { body, place, uid } = await meetingOf(...times)
  assert.deepEqual(
    [place, uid, body.repeatOptions],
    ['line 4', 'one@test', { repeat: 'none', timeZone: 'Asia/Kolkata' }],
  )
  const [found] = await read('X-WR-TIMEZONE:Europe/Berlin', event(...times))
  assert.equal((found as FoundMeeting).body.repeatOptions.timeZone, 'Europe/Berlin')
  assert.equal((found as FoundMeeting).body.startTime, '2030-01-07T09:00:00.000Z')
})

test('times in a zone, of Windows and behind a folder, are those of its clock', async () => {
  for (const zone of ['Europe/Berlin', 'W. Europe Standard Time', '/citadel.org/20190914_1/Europe/Berlin']) {
    const { body } = await meetingOf(`DTSTART;TZID="${zone}":20300701T090000`, 'DURATION:PT45M')
    assert.equal(body.repeatOptions.timeZone, 'Europe/Berlin', zone)
    assert.deepEqual([body.startTime, body.endTime], ['2030-07-01T07:00:00.000Z', '2030-07-01T07:45:00.000Z'])
  }
  const floating = await meetingOf('DTSTART:20300701T090000', 'DURATION:PT45M')
  assert.equal(floating.body.startTime, '2030-07-01T03:30:00.000Z')
})

const ownZone = [
  'BEGIN:VTIMEZONE',
  'TZID:Head office',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0300',
  'TZOFFSETTO:+0300',
  'END:STANDARD',
  'END:VTIMEZONE',
]

test('a zone that only the file knows gives the instant of a single event, and no series', async () => {
  const start = ['DTSTART;TZID=Head office:20300107T090000', 'DURATION:PT30M']
  const [single] = await read(...ownZone, event(...start))
  assert.equal((single as FoundMeeting).body.startTime, '2030-01-07T06:00:00.000Z')
  assert.deepEqual((single as FoundMeeting).notes, ['its time zone is unknown: shown in Asia/Kolkata'])
  const [series] = await read(...ownZone, event(...start, 'RRULE:FREQ=DAILY'))
  assert.deepEqual(reasonOf(series), ['skipped', 'its time zone is unknown, and it repeats'])
})

test('a series has its rule, its end, its cancelled and its changed dates', async () => {
  const found = await read(
    event(
      'DTSTART;TZID=Europe/Berlin:20300107T090000',
      'DTEND;TZID=Europe/Berlin:20300107T093000',
      'RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20300304T080000Z',
      'EXDATE;TZID=Europe/Berlin:20300114T090000',
    ),
    event(
      'RECURRENCE-ID;TZID=Europe/Berlin:20300121T090000',
      'DTSTART;TZID=Europe/Berlin:20300122T100000',
      'DTEND;TZID=Europe/Berlin:20300122T103000',
    ),
    event('RECURRENCE-ID:20300128T080000Z', 'DTSTART:20300128T080000Z', 'DTEND:20300128T083000Z', 'STATUS:CANCELLED'),
  )
  assert.equal(found.length, 1)
  const series = found[0] as FoundMeeting
  assert.deepEqual(series.body.repeatOptions, {
    repeat: 'weekly',
    interval: 1,
    daysOfWeek: [0, 1, 0, 0, 0, 0, 0],
    endDate: '2030-03-04T08:00:00.000Z',
    timeZone: 'Europe/Berlin',
  })
  assert.deepEqual(series.days?.slice(0, 3), ['2030-01-07', '2030-01-14', '2030-01-21'])
  assert.deepEqual(
    series.cancelled.map((date) => date.toISOString()),
    ['2030-01-14T08:00:00.000Z', '2030-01-28T08:00:00.000Z'],
  )
  assert.deepEqual(series.changed, [
    {
      originalStart: new Date('2030-01-21T08:00:00Z'),
      times: { startsAt: new Date('2030-01-22T09:00:00Z'), endsAt: new Date('2030-01-22T09:30:00Z') },
      topic: null,
      description: null,
      location: null,
    },
  ])
})

test('guests keep their names; rooms and people without an address are left out', async () => {
  const { body, organizer, notes, isAppointment } = await meetingOf(
    ...times,
    'ORGANIZER;CN=Alice:mailto:alice@example.org',
    'ATTENDEE;CN=Bob Brown;PARTSTAT=ACCEPTED:mailto:bob@example.org',
    'ATTENDEE;CN=carol@example.org:MAILTO:carol@example.org',
    'ATTENDEE;CUTYPE=RESOURCE;CN=Boardroom:mailto:room@example.org',
    'ATTENDEE;CN=Dora:urn:uuid:1',
  )
  assert.deepEqual(body.participants, [
    { email: 'bob@example.org', displayName: 'Bob Brown' },
    { email: 'carol@example.org' },
  ])
  assert.deepEqual([organizer, isAppointment], ['alice@example.org', false])
  assert.deepEqual(notes, [
    'the room or device Boardroom is left out',
    'a guest without an email address is left out: Dora',
  ])
})

test('texts become plain, and links to other services are named', async () => {
  const { body, notes, isAppointment } = await meetingOf(
    ...times,
    'LOCATION:https://us02web.zoom.us/j/123?pwd=x',
    'DESCRIPTION:<b>Agenda</b><br>1 &amp; 2',
  )
  assert.deepEqual([body.location, body.description, isAppointment], ['', 'Agenda\n1 & 2', false])
  assert.deepEqual(notes, ['the place is a link to another service, and is left out'])
  const long = await meetingOf(...times, `DESCRIPTION:${'x'.repeat(10_001)}`)
  assert.deepEqual([long.body.description.length, long.notes], [10_000, ['the description is cut to 10000 characters']])
  assert.equal(long.isAppointment, true)
})

test('what is no meeting for Parley is skipped or refused with its reason', async () => {
  const rows: readonly (readonly [lines: string[], kind: string, reason: RegExp])[] = [
    [['DTSTART;VALUE=DATE:20300107'], 'skipped', /whole days/],
    [[...times, 'STATUS:CANCELLED'], 'skipped', /is cancelled/],
    [[...times, 'RRULE:FREQ=HOURLY'], 'skipped', /cannot express: FREQ=HOURLY/],
    [['DTSTART:20300107T090000Z'], 'refused', /DTEND and DURATION are missing/],
    [['DTEND:20300107T090000Z'], 'refused', /DTSTART is missing/],
    [['DTSTART:soon', 'DTEND:20300107T090000Z'], 'refused', /./],
  ]
  for (const [lines, kind, reason] of rows) {
    const [found] = await read(event(...lines))
    assert.ok(found !== undefined && 'reason' in found, lines.join())
    assert.equal(found.kind, kind, found.reason)
    assert.match(found.reason, reason)
  }
  const twice = await read(event(...times), event(...times))
  assert.deepEqual(reasonOf(twice[1]), ['skipped', 'has the UID of an earlier event of the file'])
})

test('one date of a series to which a person was invited is a meeting of its own', async () => {
  const [found] = await read(event('RECURRENCE-ID:20300107T090000Z', ...times))
  assert.deepEqual([found?.kind, (found as FoundMeeting).uid], ['meeting', 'one@test/2030-01-07T09:00:00Z'])
})

test('what is no calendar is refused as a whole', async () => {
  await assert.rejects(readCalendar('BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n', context), Unreadable)
  assert.deepEqual(await read(), [])
})
