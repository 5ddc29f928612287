import { mapTexts } from '@parley/contract/meeting-fields'
import {
  lastOriginalStart,
  noExceptions,
  type Occurrence,
  type OccurrenceChange,
  occurrenceAt,
  occurrenceStarts,
  type Series,
} from '@parley/rules/recurrence/recurrence'
import { writeRule } from '@parley/rules/recurrence/rrule-text'
import { wallClockIn } from '@parley/rules/recurrence/wall-clock'
import { findAmbiguousStarts, wallStartOf } from '@parley/rules/recurrence/wall-starts'
import type { CalendarSpace, Omitted } from './calendar-budget.ts'
import type { CalendarInput } from './calendar-input.ts'
import { before, duration, localTime, timeZoneId, utcTime } from './calendar-time.ts'
import { calendarAddress, cutText, foldLines, property, text } from './content-line.ts'

/**
 * How far a series without an end lists the dates whose wall clock times are ambiguous. Earlier dates are past, and
 * later ones are listed in time, because feeds are read again and again. No series with an end is cut: it ends within
 * ten years of its start.
 */
const yearMs = 366 * 24 * 3_600_000
const ambiguousYears = { back: 1, ahead: 10 }

/** The VEVENTs of one meeting, folded. */
type ComposedMeeting = CalendarSpace & { pieces: readonly string[]; omitted: Pick<Omitted, 'dates' | 'texts'> }

/** Steps of work (`CalendarBudget.run`). Most take less than a millisecond, and none takes more than ten. */
type Steps<Result> = Generator<undefined, Result>

/**
 * Compose a meeting as VEVENTs with one UID: the series, each changed occurrence, each that the attendee answered
 * apart, and each whose time readers would otherwise compute differently. A CANCEL lists all of them too (allowed by
 * RFC 5546, 3.2.5), because Nextcloud and Exchange cancel by instance. The description stands in the series alone.
 *
 * Where the room does not suffice, texts are cut first, then the occurrences are shortened, and then occurrences are
 * left out: past ones, ones with only an answer of their own, and the latest ones. A moved occurrence that is left out
 * is cancelled, so that no date is shown at a wrong time. Undefined when not even the series fits.
 */
export function* composeMeeting(input: CalendarInput, room: CalendarSpace): Steps<ComposedMeeting | undefined> {
  const { series } = input
  if (series.rule.repeat === 'none') {
    const endsAt = new Date(series.startsAt.getTime() + series.durationMs)
    return composeAlone(input, timesOf(series, { startsAt: series.startsAt, endsAt }), room)
  }
  if (input.occurrence !== undefined) return yield* composeDates(input, [input.occurrence], room)
  if (input.only !== undefined) return yield* composeDates(input, input.only, room)
  return yield* composeSeries(input, room)
}

function composeAlone(
  input: CalendarInput,
  times: readonly string[],
  room: CalendarSpace,
): ComposedMeeting | undefined {
  const event = fit(input, times, room.events > 0 ? room.bytes : 0)
  if (event === undefined) return undefined
  return { pieces: [event.text], bytes: event.bytes, events: 1, omitted: { dates: 0, texts: event.isCut ? 1 : 0 } }
}

/** Compose dates without their series; none where the rule has none of them. The first one has the description. */
function* composeDates(
  input: CalendarInput,
  starts: readonly Date[],
  room: CalendarSpace,
): Steps<ComposedMeeting | undefined> {
  const dates = new DatesOfSeries(input)
  const { chosen, ...rest } = yield* chooseDates(dates, starts, room, true)
  return chosen.length === 0 && rest.omitted.dates > 0 ? undefined : { ...rest, pieces: piecesOf(chosen) }
}

function* composeSeries(input: CalendarInput, room: CalendarSpace): Steps<ComposedMeeting | undefined> {
  const { series } = input
  const dates = new DatesOfSeries(input)
  const firstMs = occurrenceStarts(series).next().value
  const first = firstMs === undefined ? series.startsAt : new Date(firstMs)
  const ambiguous = findAmbiguousStarts(dates.regular, ...ambiguousRange(input, first))
  yield
  const unplanned = ambiguous.filter(({ startsAt }) => startsAt === null).map(({ wallMs }) => wallMs)
  const rule = yield* recurrenceOf(series, dates, unplanned)
  const masterWith = (cancelled: readonly number[]) => [
    ...masterTimes(dates.regular, first),
    ...rule,
    ...excludedDates(series, cancelled),
  ]
  const stated = [
    ...ambiguous.flatMap(({ startsAt }) => (startsAt === null ? [] : [startsAt.getTime()])),
    ...series.changed.map(({ originalStart }) => originalStart.getTime()),
    ...(input.attendee?.occurrences ?? []).map(({ originalStart }) => originalStart.getTime()),
  ]
  const starts = [...new Set(stated)]
    .filter((startMs) => !dates.isCancelled(startMs))
    .map((startMs) => new Date(startMs))

  const isCancel = input.method === 'CANCEL'
  const bytesOfExclusions = isCancel ? 0 : maxBytesOfExclusions(series.changed.filter(({ times }) => times !== null))
  const master = fit(input, masterWith([]), room.events > 0 ? room.bytes - bytesOfExclusions : 0)
  if (master === undefined) return undefined
  const left = { bytes: room.bytes - master.bytes - bytesOfExclusions, events: room.events - 1 }
  const { chosen, bytes, events, omitted } = yield* chooseDates(dates, starts, left, false)

  const kept = new Set(chosen.map(({ start }) => start.getTime()))
  const isMoved = (start: Date) => dates.changeAt(start.getTime())?.times != null
  const cancelled = isCancel ? [] : starts.filter((start) => !kept.has(start.getTime()) && isMoved(start))
  const walls = cancelled.map((start) => wallStartOf(series, start))
  const written = walls.length === 0 ? master : blockOf(master.form(masterWith(walls)))
  return {
    pieces: [written.text, ...piecesOf(chosen)],
    bytes: written.bytes + bytes,
    events: 1 + events,
    omitted: { dates: omitted.dates, texts: omitted.texts + (master.isCut ? 1 : 0) },
  }
}

/** What the exclusion of some or all of these dates takes (`excludedDates`). */
const maxBytesOfExclusions = ({ length }: { length: number }): number =>
  Math.max(Math.min(length, maxSingleExclusions) * 80, length * 24)

/** Kept for each occurrence that is yet to come, so that a long text displaces none. */
const bytesOfShortDate = 700

type ChosenDate = Fitted & { start: Date }

/** Compose as many dates as fit, in order of importance. */
function* chooseDates(
  dates: DatesOfSeries,
  starts: readonly Date[],
  room: CalendarSpace,
  withDescription: boolean,
): Steps<CalendarSpace & { chosen: ChosenDate[]; omitted: ComposedMeeting['omitted'] }> {
  const ranked = dates.inOrderOfUse(starts)
  yield
  const chosen: ChosenDate[] = []
  let bytesLeft = room.bytes
  let withoutText = !withDescription
  for (const [index, start] of ranked.entries()) {
    if (chosen.length >= room.events) break
    const later = (Math.min(ranked.length, room.events) - index - 1) * bytesOfShortDate
    const date = dates.compose(start, { bytes: bytesLeft - later, atMost: bytesLeft, withoutText })
    yield
    // The ones that follow matter less, and are hardly shorter.
    if (date === undefined) break
    chosen.push({ ...date, start })
    bytesLeft -= date.bytes
    withoutText = true
  }
  return {
    chosen,
    bytes: room.bytes - bytesLeft,
    events: chosen.length,
    omitted: { dates: ranked.length - chosen.length, texts: chosen.filter(({ isCut }) => isCut).length },
  }
}

const piecesOf = (chosen: readonly ChosenDate[]): string[] =>
  chosen.toSorted((one, other) => one.start.getTime() - other.start.getTime()).map(({ text: written }) => written)

type OwnAnswer = NonNullable<NonNullable<CalendarInput['attendee']>['occurrences']>[number]

/** The dates of one series for one recipient, found by their original start without a search. */
class DatesOfSeries {
  /** Without exceptions: finding one occurrence in the rule does not read them all. */
  readonly regular: Series
  readonly #input: CalendarInput
  readonly #cancelled: ReadonlySet<number>
  readonly #changes: ReadonlyMap<number, OccurrenceChange>
  readonly #answers: ReadonlyMap<number, OwnAnswer>

  constructor(input: CalendarInput) {
    const { series, attendee } = input
    this.#input = input
    this.regular = { ...series, ...noExceptions }
    this.#cancelled = new Set(series.cancelled.map(Number))
    this.#changes = new Map(series.changed.map((change) => [change.originalStart.getTime(), change]))
    this.#answers = new Map((attendee?.occurrences ?? []).map((one) => [one.originalStart.getTime(), one]))
  }

  isCancelled = (startMs: number): boolean => this.#cancelled.has(startMs)

  changeAt = (startMs: number): OccurrenceChange | undefined => this.#changes.get(startMs)

  /** An occurrence of the rule, with its change; undefined where the rule has none. */
  find(start: Date): Occurrence | undefined {
    const change = this.#changes.get(start.getTime())
    return occurrenceAt(change === undefined ? this.regular : { ...this.regular, changed: [change] }, start)
  }

  /** Dates ahead before past ones, changed ones before ones with only an answer, and near ones before far ones. */
  inOrderOfUse(starts: readonly Date[]): Date[] {
    const nowMs = (this.#input.asOf ?? this.#input.stamp).getTime()
    const ranked = starts.flatMap((start) => {
      const found = this.find(start)
      if (found === undefined) return []
      const isOver = found.endsAt.getTime() <= nowMs
      const isOnlyAnswered = found.change === null && this.#answers.has(start.getTime())
      return [{ start, group: (isOver ? 2 : 0) + (isOnlyAnswered ? 1 : 0), awayMs: Math.abs(start.getTime() - nowMs) }]
    })
    return ranked
      .toSorted((one, other) => one.group - other.group || one.awayMs - other.awayMs)
      .map(({ start }) => start)
  }

  /**
   * Compose one occurrence, identified by its planned start (RFC 5545, 3.8.4.4), with the times and texts of its own, in
   * `bytes` if its texts can be cut to that, and in `atMost` otherwise.
   */
  compose(start: Date, room: { bytes: number; atMost: number; withoutText: boolean }): Fitted | undefined {
    const occurrence = this.find(start)
    if (occurrence === undefined) return undefined
    const input = this.#input
    const texts = mapTexts(
      (name) => occurrence.change?.[name] ?? (name === 'description' && room.withoutText ? '' : input[name]),
    )
    const own = {
      ...texts,
      attendee: this.#attendeeAt(start),
      // The first event has it, as the description.
      ...(!room.withoutText && input.comment !== undefined && { comment: input.comment }),
    }
    const times = [
      ...timesOf(this.regular, occurrence),
      localProperty('RECURRENCE-ID', input.series, wallStartOf(this.regular, start)),
    ]
    const { comment: _, ...rest } = input
    return fit({ ...rest, ...own }, times, room.bytes, room.atMost)
  }

  /** With the response to this occurrence. */
  #attendeeAt(start: Date): CalendarInput['attendee'] {
    const { attendee } = this.#input
    const own = this.#answers.get(start.getTime())
    if (attendee === null || own === undefined) return attendee
    const { response: _, ...person } = attendee
    return { ...person, ...(own.response !== null && { response: own.response }) }
  }
}

type Block = { text: string; bytes: number }
/** The lines of an event with these times. */
type Form = (times: readonly string[]) => readonly string[]
type Fitted = Block & { form: Form; isCut: boolean }

function blockOf(lines: readonly string[]): Block {
  const folded = foldLines(lines)
  return { text: folded, bytes: Buffer.byteLength(folded) }
}

/**
 * Compose an event in `bytes`, with its description cut if need be; where even the shortest form takes more, in
 * `atMost`. Undefined when it does not fit.
 */
function fit(input: CalendarInput, times: readonly string[], bytes: number, atMost = bytes): Fitted | undefined {
  const { description, cutNotice } = input
  const formOf =
    (shown: string): Form =>
    (own) =>
      composeEvent({ ...input, description: shown }, own)
  const whole = formOf(description)
  const block = blockOf(whole(times))
  if (block.bytes <= bytes) return { ...block, form: whole, isCut: false }
  if (description !== '' && input.method !== 'CANCEL') {
    const noticeAlone = blockOf(formOf(cutNotice)(times))
    const kept = cutText(description, bytes - noticeAlone.bytes - bytesOfCut)
    const cut = formOf(kept === '' ? cutNotice : `${kept}…\n\n${cutNotice}`)
    const shortened = blockOf(cut(times))
    if (shortened.bytes <= bytes) return { ...shortened, form: cut, isCut: true }
  }
  const short: Form = (own) => composeShortEvent(input, own)
  const last = blockOf(short(times))
  return last.bytes <= atMost
    ? { ...last, form: short, isCut: description !== '' && input.method !== 'CANCEL' }
    : undefined
}

/** What stands between a text that was cut and the notice, and the folds that it causes. */
const bytesOfCut = 16

function ambiguousRange({ series, method, stamp }: CalendarInput, first: Date): [from: Date, until: Date] {
  if (series.endsBy !== null) return [first, series.endsBy]
  const from = Math.max(first.getTime(), stamp.getTime() - ambiguousYears.back * yearMs)
  const until = new Date(from + (ambiguousYears.back + ambiguousYears.ahead) * yearMs)
  // A CANCEL lists everything that a REQUEST may have listed, however long ago.
  return [method === 'CANCEL' ? first : new Date(from), until]
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
    ...(input.comment === undefined ? [] : [property('COMMENT', text(input.comment))]),
    ...(method === 'CANCEL' ? [] : composeAccess(input)),
    composeOrganizer(organizer),
    ...(attendee === null ? [] : [composeAttendee(attendee, method)]),
    ...composeStatus(method, status),
    property('TRANSP', 'OPAQUE'),
    ...(reminderMinutes > 0 && method !== 'CANCEL' ? composeAlarm(input.topic, reminderMinutes) : []),
    'END:VEVENT',
  ]
}

/** What a guest needs: times, topic and link. The rest is optional (RFC 5546, 3.2.2). */
function composeShortEvent(input: CalendarInput, times: readonly string[]): string[] {
  const { method, organizer, attendee, status } = input
  return [
    'BEGIN:VEVENT',
    property('UID', text(input.uid)),
    property('DTSTAMP', utcTime(input.stamp)),
    property('SEQUENCE', String(input.sequence)),
    ...times,
    property('SUMMARY', text(input.topic)),
    ...(method === 'CANCEL' ? [] : [composeLocation(input)]),
    composeOrganizer(organizer),
    ...(attendee === null ? [] : [composeAttendee(attendee, method)]),
    ...composeStatus(method, status),
    'END:VEVENT',
  ]
}

/** A removed attendee must not read that the meeting is cancelled (RFC 5546, 3.2.5). */
const composeStatus = (method: CalendarInput['method'], status: CalendarInput['status']): string[] =>
  method === 'CANCEL' && status === 'CONFIRMED' ? [] : [property('STATUS', status)]

/** How to join. Left out of a CANCEL, because the PIN may have changed since the invitation. */
const composeAccess = (input: CalendarInput): string[] => [
  ...describe([input.description, input.entrance]),
  composeLocation(input),
  property('URL', new URL(input.url).href),
  composeConference(input.conference),
]

/** Where people meet; the link where that is not said, because some programs show no other property. */
const composeLocation = ({ location, joinLink }: CalendarInput): string =>
  property('LOCATION', text(location.trim() === '' ? joinLink : location))

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

function* recurrenceOf(series: Series, dates: DatesOfSeries, skippedWallMs: readonly number[]): Steps<string[]> {
  if (series.rule.repeat === 'none') return []
  // COUNT includes cancelled dates, and dates that a clock change skips: readers generate both (RFC 5545, 3.8.5.1).
  const { count } = series.rule
  const until = count === undefined ? untilOf(series) : null
  const rule = [
    writeRule(series.rule),
    ...(count === undefined ? [] : [`COUNT=${count + skippedWallMs.length}`]),
    ...(until === null ? [] : [`UNTIL=${utcTime(until)}`]),
  ].join(';')
  const cancelled: number[] = []
  for (const [index, startsAt] of series.cancelled.entries()) {
    if ((until === null || startsAt <= until) && dates.find(startsAt) !== undefined)
      cancelled.push(wallStartOf(dates.regular, startsAt))
    if (index % exclusionsInStep === 0) yield
  }
  return [property('RRULE', rule), ...excludedDates(series, [...cancelled, ...skippedWallMs])]
}

const exclusionsInStep = 16

/** Each date has a property of its own, which every program reads, unless so many would take more than their text. */
const maxSingleExclusions = 100
const exclusionsInList = 50

function excludedDates(series: Series, wallsMs: readonly number[]): string[] {
  const dates = [...new Set(wallsMs)].sort((one, other) => one - other).map(localTime)
  const size = dates.length > maxSingleExclusions ? exclusionsInList : 1
  const lists = Array.from({ length: Math.ceil(dates.length / size) }, (_, index) =>
    dates.slice(index * size, (index + 1) * size),
  )
  return lists.map((list) => property('EXDATE', list.join(','), { TZID: timeZoneId(series.timeZone) }))
}

/**
 * UNTIL is the start of the last occurrence. With the requested end, a reader that resolves an ambiguous time earlier
 * would add an occurrence. If the last start is ambiguous, use its later reading.
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

const localProperty = (name: string, { timeZone }: Series, wallMs: number) =>
  property(name, localTime(wallMs), { TZID: timeZoneId(timeZone) })
