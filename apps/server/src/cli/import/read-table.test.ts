import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FoundMeeting, Unreadable } from './found-entry.ts'
import { readTable } from './read-table.ts'

const context = { defaultZone: 'Europe/Berlin', timeZoneAliases: new Map<string, string>(), order: undefined }
const read = (...lines: string[]) => readTable(lines.join('\r\n'), context)
const onlyMeeting = (...lines: string[]) => {
  const { entries } = read(...lines)
  assert.equal(entries[0]?.kind, 'meeting', JSON.stringify(entries))
  return entries[0] as FoundMeeting
}

test('users of Google Workspace and of Zoom are people', () => {
  const google = read(
    'First Name [Required],Last Name [Required],Email Address [Required],Org Unit Path [Required],Status [READ ONLY]',
    'Alice,Ahuja,alice@example.org,/,Active',
    'Bob,Brown,bob@example.org,/,Suspended',
    'Carol,Clark,carol,/,Active',
  )
  assert.deepEqual(google.entries, [
    { kind: 'person', place: 'row 2', email: 'alice@example.org' },
    { kind: 'skipped', place: 'row 3', topic: 'bob@example.org', reason: 'is suspended' },
    { kind: 'refused', place: 'row 4', topic: 'carol', reason: 'email: is not an email address' },
  ])
  const zoom = read('Email,First Name,Last Name,Department', 'dora@example.org,Dora,Doe,Sales')
  assert.deepEqual(zoom.entries, [{ kind: 'person', place: 'row 2', email: 'dora@example.org' }])
})

test('a table of Google Calendar has dates and times in columns of their own', () => {
  const head = 'Subject,Start Date,Start Time,End Date,End Time,All Day Event,Description,Location,Private'
  const { body, isAppointment } = onlyMeeting(
    head,
    'Review,05/30/2030,10:00 AM,05/30/2030,1:00 PM,False,"50, and two essays",Room 4,True',
  )
  assert.deepEqual(
    [body.topic, body.startTime, body.endTime, body.location, isAppointment],
    ['Review', '2030-05-30T08:00:00.000Z', '2030-05-30T11:00:00.000Z', 'Room 4', true],
  )
  const { entries, notes } = read(head, 'Trip,05/03/2030,,05/04/2030,,True,,,', 'No time,05/03/2030,,05/03/2030,,,,,')
  assert.deepEqual(
    entries.map((entry) => 'reason' in entry && [entry.kind, entry.reason]),
    [
      ['skipped', 'lasts whole days, and meetings have times'],
      ['refused', 'start: 05/03/2030 is no date and time'],
    ],
  )
  assert.deepEqual(notes, [
    'these columns are not read: private',
    'dates such as 05/03/2030 are read with the month first: --day-first reads them with the day first',
  ])
})

test('upcoming meetings of Zoom have a host, an id and a length', () => {
  const found = onlyMeeting(
    'Topic,Meeting ID,Host,Start Time,Duration (Minutes),Recurring',
    'Weekly,912 3456 7890,alice@example.org,"Jan 7, 2030 09:00:00 AM",45,Yes',
  )
  assert.deepEqual(
    [found.uid, found.organizer, found.body.startTime, found.body.endTime, found.isAppointment],
    ['912 3456 7890', 'alice@example.org', '2030-01-07T08:00:00.000Z', '2030-01-07T08:45:00.000Z', false],
  )
  assert.deepEqual(found.notes, ['it repeats, and a table does not say how: this date only'])
})

test('bookings of Cal.com have an organiser and a booker', () => {
  const head =
    'id,uid,title,createdAt,timeStatus,eventTypeId,eventLength,startTime,endTime,userEmail,bookerEmail,bookerName'
  const row =
    '1,abc,Intro,2029-12-01T00:00:00.000Z,uncompleted,3,30,2030-01-07T09:00:00.000Z,2030-01-07T09:30:00.000Z,alice@example.org,eve@example.net,Eve'
  const { uid, organizer, body } = onlyMeeting(head, row)
  assert.deepEqual([uid, organizer], ['abc', 'alice@example.org'])
  assert.deepEqual(body.participants, [{ email: 'eve@example.net', displayName: 'Eve' }])
})

test('guests stand in one column or in numbered ones; those without an address are named', () => {
  const one = onlyMeeting(
    'Topic,Start,End,Attendees,attendee1',
    'A,2030-01-07 09:00,2030-01-07 10:00,"Bob <bob@example.org>; carol@example.org; Dora",eve@example.org',
  )
  assert.deepEqual(one.body.participants, [
    { email: 'bob@example.org', displayName: 'Bob' },
    { email: 'carol@example.org' },
    { email: 'eve@example.org' },
  ])
  assert.deepEqual(one.notes, ['guests without an email address are left out: Dora'])
})

test('a row without an id is the same row in the next file', () => {
  const rows = ['Topic,Start,Duration', 'A,2030-01-07 09:00,30', 'A,2030-01-08 09:00,30']
  const [first, second] = read(...rows).entries as FoundMeeting[]
  assert.notEqual(first?.uid, second?.uid)
  assert.equal((read(...rows).entries[0] as FoundMeeting).uid, first?.uid)
})

test('wrong rows name their column, and a table of something else its columns', () => {
  const { entries } = read(
    'Topic,Start,End,Time zone',
    'A,soon,2030-01-07 10:00,',
    'B,2030-01-07 09:00,later,',
    'C,2030-01-07 09:00,2030-01-07 10:00,Atlantis',
  )
  assert.deepEqual(
    entries.map((entry) => 'reason' in entry && `${entry.place} ${entry.reason}`),
    [
      'row 2 start: soon is no date and time',
      'row 3 end: later is neither an end nor a length',
      'row 4 time zone: Atlantis is unknown',
    ],
  )
  assert.throws(() => read('Colour,Price', 'red,3'), /names neither .* It has these columns: Colour, Price\./)
  assert.throws(() => read(''), Unreadable)
})
