import { lastEnd, occurrenceAt, occurrences, type Series } from '@parley/rules/recurrence/recurrence'
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
 * Compose a meeting as VEVENTs with one UID: the series, and each occurrence whose time readers would otherwise compute
 * differently. A CANCEL lists all of them too (allowed by RFC 5546, 3.2.5), because Nextcloud and Exchange cancel by
 * instance.
 */
export function composeEvents(input: CalendarInput): string[] {
  const { series, occurrence } = input
  if (series.rule.repeat === 'none') return composeEvent(input, timesOf(series, series.startsAt))
  if (occurrence !== undefined) return composeOne(input, occurrence)

  const first = occurrences(series).next().value?.startsAt ?? series.startsAt
  const ambiguous = findAmbiguousStarts(series, ...ambiguousRange(input, first))
  const leftOut = ambiguous.filter(({ startsAt }) => startsAt === null).map(({ wallMs }) => wallMs)
  const master = composeEvent(input, [...masterTimes(series, first), ...recurrenceOf(series, leftOut)])
  const stated = ambiguous.flatMap(({ startsAt }) =>
    startsAt === null || isExcluded(series, startsAt) ? [] : [startsAt],
  )
  return [...master, ...stated.flatMap((startsAt) => composeOne(input, startsAt))]
}

function ambiguousRange({ series, method, stamp }: CalendarInput, first: Date): [from: Date, until: Date] {
  if (series.endsBy !== null) return [first, series.endsBy]
  const from = Math.max(first.getTime(), stamp.getTime() - ambiguousYears.back * yearMs)
  const until = new Date(from + (ambiguousYears.back + ambiguousYears.ahead) * yearMs)
  // A CANCEL lists everything that a REQUEST may have listed, however long ago.
  return [method === 'CANCEL' ? first : new Date(from), until]
}

/** Compose one occurrence of a series, identified by its planned start (RFC 5545, 3.8.4.4). */
const composeOne = (input: CalendarInput, startsAt: Date): string[] =>
  composeEvent(input, [
    ...timesOf(input.series, startsAt),
    localProperty('RECURRENCE-ID', input.series, wallStartOf(input.series, startsAt)),
  ])

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
const composeAccess = ({ description, location, url, conference }: CalendarInput): string[] => [
  ...(description === '' ? [] : [property('DESCRIPTION', text(description))]),
  property('LOCATION', text(location)),
  property('URL', new URL(url).href),
  composeConference(conference),
]

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
function timesOf(series: Series, startsAt: Date): string[] {
  const endsAt = new Date(startsAt.getTime() + series.durationMs)
  if (!isUnambiguous(series, startsAt))
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
  if (isAsPlanned && isUnambiguous(series, first)) return timesOf(series, first)
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
  const end = lastEnd(series)
  if (end === 'never') return null
  if (end === undefined) return series.endsBy
  const startMs = end.getTime() - series.durationMs
  const readings = wallClockIn(series.timeZone).instantsOf(wallStartOf(series, new Date(startMs)))
  return new Date(Math.max(startMs, ...readings))
}

function isUnambiguous(series: Series, startsAt: Date): boolean {
  const around = { ...series, rule: { repeat: 'none' as const }, startsAt }
  return findAmbiguousStarts(around, startsAt, startsAt).length === 0
}

const isExcluded = ({ excluded }: Series, startsAt: Date) =>
  excluded.some((skipped) => skipped.getTime() === startsAt.getTime())

const localProperty = (name: string, { timeZone }: Series, wallMs: number) =>
  property(name, localTime(wallMs), { TZID: timeZoneId(timeZone) })
