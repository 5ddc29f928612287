import {
  lastOriginalStart,
  type Occurrence,
  occurrenceAt,
  occurrenceStarts,
  type Series,
} from '@parley/rules/recurrence/recurrence'
import { writeRule } from '@parley/rules/recurrence/rrule-text'
import { wallClockIn } from '@parley/rules/recurrence/wall-clock'
import { findAmbiguousStarts, wallStartOf } from '@parley/rules/recurrence/wall-starts'
import type { CalendarInput } from './calendar-input.ts'
import { before, duration, localTime, timeZoneId, utcTime } from './calendar-time.ts'
import { calendarAddress, property, text } from './content-line.ts'

/**
 * How far a series without an end lists the dates whose wall clock times are ambiguous. Earlier dates are past, and
 * later ones are listed in time, because feeds are read again and again. No series with an end is cut.
 */
const yearMs = 366 * 24 * 3_600_000
const ambiguousYears = { back: 1, ahead: 10 }

/**
 * Compose a meeting as VEVENTs with one UID: the series, each changed occurrence, each that the attendee answered
 * apart, and each whose time readers would otherwise compute differently. A CANCEL lists all of them too (allowed by
 * RFC 5546, 3.2.5), because Nextcloud and Exchange cancel by instance.
 */
export function composeEvents(input: CalendarInput): string[] {
  const { series, occurrence } = input
  if (series.rule.repeat === 'none') {
    const endsAt = new Date(series.startsAt.getTime() + series.durationMs)
    return composeEvent(input, timesOf(series, { startsAt: series.startsAt, endsAt }))
  }
  if (occurrence !== undefined) return composeOne(input, occurrence)
  if (input.only !== undefined) return input.only.flatMap((start) => composeOne(input, start))

  const firstMs = occurrenceStarts(series).next().value
  const first = firstMs === undefined ? series.startsAt : new Date(firstMs)
  const ambiguous = findAmbiguousStarts(series, ...ambiguousRange(input, first))
  const leftOut = ambiguous.filter(({ startsAt }) => startsAt === null).map(({ wallMs }) => wallMs)
  const master = composeEvent(input, [...masterTimes(series, first), ...recurrenceOf(series, leftOut)])
  const stated = [
    ...ambiguous.flatMap(({ startsAt }) => (startsAt === null ? [] : [startsAt.getTime()])),
    ...series.changed.map(({ originalStart }) => originalStart.getTime()),
    ...(input.attendee?.occurrences ?? []).map(({ originalStart }) => originalStart.getTime()),
  ]
  const starts = [...new Set(stated)].sort((one, other) => one - other).map((startMs) => new Date(startMs))
  return [
    ...master,
    ...starts.filter((start) => !isExcluded(series, start)).flatMap((start) => composeOne(input, start)),
  ]
}

function ambiguousRange({ series, method, stamp }: CalendarInput, first: Date): [from: Date, until: Date] {
  if (series.endsBy !== null) return [first, series.endsBy]
  const from = Math.max(first.getTime(), stamp.getTime() - ambiguousYears.back * yearMs)
  const until = new Date(from + (ambiguousYears.back + ambiguousYears.ahead) * yearMs)
  // A CANCEL lists everything that a REQUEST may have listed, however long ago.
  return [method === 'CANCEL' ? first : new Date(from), until]
}

/**
 * Compose one occurrence of a series, identified by its planned start (RFC 5545, 3.8.4.4), with the times and texts of
 * its own. Nothing for a start that the rule does not give.
 */
function composeOne(input: CalendarInput, originalStart: Date): string[] {
  const occurrence = occurrenceAt(input.series, originalStart)
  if (occurrence === undefined) return []
  const { topic, description } = occurrence.change ?? {}
  const own = {
    topic: topic ?? input.topic,
    description: description ?? input.description,
    attendee: attendeeOf(input, originalStart),
  }
  return composeEvent({ ...input, ...own }, [
    ...timesOf(input.series, occurrence),
    localProperty('RECURRENCE-ID', input.series, wallStartOf(input.series, originalStart)),
  ])
}

/** With the response to this occurrence. */
function attendeeOf({ attendee }: CalendarInput, originalStart: Date): CalendarInput['attendee'] {
  const own = attendee?.occurrences?.find((one) => one.originalStart.getTime() === originalStart.getTime())
  if (attendee === null || own === undefined) return attendee
  const { response: _, ...person } = attendee
  return { ...person, ...(own.response !== null && { response: own.response }) }
}

function composeEvent(input: CalendarInput, times: readonly string[]): string[] {
  const { method, organizer, attendee, status, reminderMinutes = 0 } = input
  return [
    'BEGIN:VEVENT',
    property('UID', text(input.uid)),
    property('DTSTAMP', utcTime(input.stamp)),
    property('LAST-MODIFIED', utcTime(input.modifiedAt ?? input.stamp)),
    property('SEQUENCE', String(input.sequence)),
    ...times,
    property('SUMMARY', text(input.topic)),
    ...(method === 'CANCEL' ? [] : composeAccess(input)),
    composeOrganizer(organizer),
    ...(attendee === null ? [] : [composeAttendee(attendee, method)]),
    // A removed attendee must not read that the meeting is cancelled (RFC 5546, 3.2.5).
    ...(method === 'CANCEL' && status === 'CONFIRMED' ? [] : [property('STATUS', status)]),
    property('TRANSP', 'OPAQUE'),
    ...(reminderMinutes > 0 && method !== 'CANCEL' ? composeAlarm(input.topic, reminderMinutes) : []),
    'END:VEVENT',
  ]
}

/** How to join. Left out of a CANCEL, because the PIN may have changed since the invitation. */
const composeAccess = ({ description, entrance, location, url, conference }: CalendarInput): string[] => [
  ...describe([description, entrance]),
  property('LOCATION', text(location)),
  property('URL', new URL(url).href),
  composeConference(conference),
]

function describe(parts: readonly string[]): string[] {
  const written = parts.filter((part) => part !== '')
  return written.length === 0 ? [] : [property('DESCRIPTION', text(written.join('\n\n')))]
}

/** Calendar programs of Apple, Thunderbird and Nextcloud show a join button for it. */
const composeConference = ({ label, address }: CalendarInput['conference']) =>
  property('CONFERENCE', new URL(address).href, { VALUE: 'URI', FEATURE: ['AUDIO', 'VIDEO'], LABEL: label })

function composeOrganizer({ name, email, sentBy, answersTo }: CalendarInput['organizer']): string {
  return property('ORGANIZER', calendarAddress(answersTo ?? email), {
    CN: name === '' ? undefined : name,
    // RFC 7986, 6.2: programs show it in place of the address that they answer to.
    EMAIL: answersTo === undefined ? undefined : email,
    'SENT-BY': sentBy === undefined || sentBy === email ? undefined : calendarAddress(sentBy),
  })
}

function composeAttendee(
  { name, email, response }: NonNullable<CalendarInput['attendee']>,
  method: CalendarInput['method'],
): string {
  const asked = method === 'REQUEST'
  return property('ATTENDEE', calendarAddress(email), {
    CN: name === '' ? undefined : name,
    CUTYPE: 'INDIVIDUAL',
    ROLE: 'REQ-PARTICIPANT',
    PARTSTAT: response?.toUpperCase() ?? 'NEEDS-ACTION',
    RSVP: asked ? 'TRUE' : undefined,
  })
}

const composeAlarm = (topic: string, minutes: number) => [
  'BEGIN:VALARM',
  property('ACTION', 'DISPLAY'),
  property('DESCRIPTION', text(topic)),
  property('TRIGGER', before(minutes)),
  'END:VALARM',
]

/** In the series' zone when both times are unambiguous there, otherwise in UTC. */
function timesOf(series: Series, { startsAt, endsAt }: Pick<Occurrence, 'startsAt' | 'endsAt'>): string[] {
  const durationMs = endsAt.getTime() - startsAt.getTime()
  if (!isUnambiguous({ ...series, durationMs }, startsAt))
    return [property('DTSTART', utcTime(startsAt)), property('DTEND', utcTime(endsAt))]
  const clock = wallClockIn(series.timeZone)
  return [
    localProperty('DTSTART', series, clock.read(startsAt.getTime())),
    localProperty('DTEND', series, clock.read(endsAt.getTime())),
  ]
}

/** DTSTART needs the rule's time of day, even when the first occurrence is at another time. */
function masterTimes(series: Series, first: Date): string[] {
  const wallMs = wallStartOf(series, first)
  const isAsPlanned = wallMs === wallClockIn(series.timeZone).read(first.getTime())
  const endsAt = new Date(first.getTime() + series.durationMs)
  if (isAsPlanned && isUnambiguous(series, first)) return timesOf(series, { startsAt: first, endsAt })
  return [localProperty('DTSTART', series, wallMs), property('DURATION', duration(series.durationMs))]
}

function recurrenceOf(series: Series, leftOutWallMs: readonly number[]): string[] {
  if (series.rule.repeat === 'none') return []
  // COUNT includes excluded dates, and dates that the clock left out: readers generate both (RFC 5545, 3.8.5.1).
  const { count } = series.rule
  const until = count === undefined ? untilOf(series) : null
  const rule = [
    writeRule(series.rule),
    ...(count === undefined ? [] : [`COUNT=${count + leftOutWallMs.length}`]),
    ...(until === null ? [] : [`UNTIL=${utcTime(until)}`]),
  ].join(';')
  const excluded = series.excluded
    .filter((startsAt) => (until === null || startsAt <= until) && occurrenceAt(series, startsAt) !== undefined)
    .map((startsAt) => wallStartOf(series, startsAt))
  const dates = [...new Set([...excluded, ...leftOutWallMs])].sort((one, other) => one - other)
  return [property('RRULE', rule), ...dates.map((wallMs) => localProperty('EXDATE', series, wallMs))]
}

/**
 * The start of the last occurrence rather than the requested end: a reader that resolves an ambiguous wall clock time
 * to an earlier instant than we do would find one more occurrence in between. Of two readings of its time, the later
 * one, for readers that resolve it later.
 */
function untilOf(series: Series): Date | null {
  const start = lastOriginalStart(series)
  if (start === 'never') return null
  if (start === undefined) return series.endsBy
  const readings = wallClockIn(series.timeZone).instantsOf(wallStartOf(series, start))
  return new Date(Math.max(start.getTime(), ...readings))
}

function isUnambiguous(series: Series, startsAt: Date): boolean {
  const around = { ...series, rule: { repeat: 'none' as const }, startsAt, changed: [] }
  return findAmbiguousStarts(around, startsAt, startsAt).length === 0
}

const isExcluded = ({ excluded }: Series, originalStart: Date) =>
  excluded.some((skipped) => skipped.getTime() === originalStart.getTime())

const localProperty = (name: string, { timeZone }: Series, wallMs: number) =>
  property(name, localTime(wallMs), { TZID: timeZoneId(timeZone) })
