import assert from 'node:assert/strict'
import { test } from 'node:test'
import ical, { ICalAlarmType, ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import { datesBetween, readCalendar } from '../../../../../test/calendar-readers/read-with-ical-js.ts'
import { compose, invitation, seriesOf } from '../../../test/meetings/calendar-inputs.ts'

const zoned = (text: string) => Temporal.ZonedDateTime.from(text)
const linesOf = (calendar: string) => calendar.replaceAll('\r\n ', '').split('\r\n')

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
