import { lastEnd } from '@parley/rules/recurrence/recurrence'
import type { CalendarBudget, CalendarSpace, Omitted } from './calendar-budget.ts'
import type { CalendarInput } from './calendar-input.ts'
import { composeTimeZone, duration, timeZoneId } from './calendar-time.ts'
import { composeMeeting } from './compose-vevent.ts'
import { foldLines, property, text } from './content-line.ts'

export type { CalendarInput } from './calendar-input.ts'

type Series = CalendarInput['series']

/**
 * Compose one meeting as a calendar: an iTIP message (RFC 5546) or, without a METHOD, a file. When `series.rule` is
 * `none`, `occurrence` is ignored. A meeting that does not fit leaves the calendar empty, which no limit of this service
 * causes.
 */
export async function composeCalendar(input: CalendarInput, budget: CalendarBudget): Promise<string> {
  const span = spanOf(input.series)
  const untilMs = Math.max(span.untilMs, input.occurrence?.getTime() ?? span.untilMs)
  const pieces = new Pieces([{ ...span, untilMs }], budget)
  await pieces.add(input, 0)
  return pieces.calendar(input.method, [])
}

/** The properties of a feed; programs refresh it after `refreshMs`. */
export type FeedProperties = { name: string; description?: string; refreshMs: number }

/** The meetings of a feed, those that matter most first. */
type FeedMeetings = {
  count: number
  /** The spans of the series of all meetings. */
  spans: readonly ZoneSpan[]
  /** Read while the feed is composed, and no further than it is composed. */
  inputs: AsyncIterable<CalendarInput> | Iterable<CalendarInput>
}

/**
 * Compose several meetings as a calendar (RFC 7986, 5; the X- properties are for older programs). `about` is asked
 * afterwards, and may say what was left out.
 */
export async function composeFeed(
  about: (omitted: Omitted) => FeedProperties,
  { count, spans, inputs }: FeedMeetings,
  budget: CalendarBudget,
): Promise<string> {
  const pieces = new Pieces(spans, budget)
  let added = 0
  for await (const input of inputs) {
    added++
    if (!(await pieces.add(input, Math.max(0, count - added)))) {
      budget.omitted.meetings += count - added
      break
    }
  }
  return pieces.calendar('PUBLISH', feedLines(about(budget.omitted)))
}

/**
 * Compose several meetings as a calendar whose parts are sent while later ones are read. Each zone stands before its
 * first meeting, from 1970 on and without an end, because the later ones are not known.
 */
export async function* streamFeed(
  about: FeedProperties,
  inputs: AsyncIterable<CalendarInput>,
  budget: CalendarBudget,
): AsyncGenerator<string> {
  yield foldLines(head('PUBLISH', feedLines(about)))
  const pieces = new Pieces([], budget)
  for await (const input of inputs) {
    const isMore = await pieces.add(input, 0)
    yield* pieces.take()
    if (!isMore) break
  }
  yield foldLines(['END:VCALENDAR'])
}

function feedLines({ name, description, refreshMs }: FeedProperties): string[] {
  const refresh = duration(refreshMs)
  return [
    property('NAME', text(name)),
    property('X-WR-CALNAME', text(name)),
    ...(description === undefined
      ? []
      : [property('DESCRIPTION', text(description)), property('X-WR-CALDESC', text(description))]),
    property('REFRESH-INTERVAL', refresh, { VALUE: 'DURATION' }),
    property('X-PUBLISHED-TTL', refresh),
  ]
}

const head = (method: CalendarInput['method'], about: readonly string[]): string[] => [
  'BEGIN:VCALENDAR',
  property('VERSION', '2.0'),
  property('PRODID', '-//Parley//Parley//EN'),
  property('CALSCALE', 'GREGORIAN'),
  ...(method === null ? [] : [property('METHOD', method)]),
  ...about,
]

/** From when to when a zone is needed, in milliseconds since 1970; the end may be infinite. */
export type ZoneSpan = { timeZoneId: string; fromMs: number; untilMs: number }

export const spanOf = (series: Series): ZoneSpan => ({
  timeZoneId: timeZoneId(series.timeZone),
  fromMs: firstStartMs(series),
  untilMs: lastEndMs(series),
})

const unknownSpan = { fromMs: 0, untilMs: Number.POSITIVE_INFINITY }

/** The composed parts of a calendar. */
class Pieces {
  readonly #spans: ReadonlyMap<string, readonly ZoneSpan[]>
  readonly #budget: CalendarBudget
  readonly #knownZones = new Set<string>()
  #zones: string[] = []
  #events: string[] = []

  constructor(spans: readonly ZoneSpan[], budget: CalendarBudget) {
    this.#spans = Map.groupBy(spans, (span) => span.timeZoneId)
    this.#budget = budget
  }

  /** Add a meeting that `meetingsAfter` others follow. Return whether the budget may have room for another one. */
  async add(input: CalendarInput, meetingsAfter: number): Promise<boolean> {
    const budget = this.#budget
    const room = budget.roomFor(meetingsAfter)
    const zone = await budget.run(this.#composeZone(input))
    const left = { ...room, bytes: room.bytes - (zone?.bytes ?? 0) }
    const meeting = left.bytes < 0 ? undefined : await budget.run(composeMeeting(input, left))
    if (meeting === undefined) {
      budget.omitted.meetings += 1
      return !budget.isUsedUp
    }
    budget.omitted.dates += meeting.omitted.dates
    budget.omitted.texts += meeting.omitted.texts
    if (zone !== undefined) {
      budget.spend(zone)
      this.#knownZones.add(zone.id)
      this.#zones.push(zone.text)
    }
    budget.spend(meeting)
    this.#events.push(...meeting.pieces)
    return !budget.isUsedUp
  }

  /** Each zone once, covering all its meetings. */
  *#composeZone({
    series,
  }: CalendarInput): Generator<undefined, (CalendarSpace & { id: string; text: string }) | undefined> {
    const id = timeZoneId(series.timeZone)
    if (this.#knownZones.has(id)) return undefined
    const spans = this.#spans.get(id) ?? [unknownSpan]
    const from = spans.reduce((earliest, { fromMs }) => Math.min(earliest, fromMs), Number.POSITIVE_INFINITY)
    const until = spans.reduce((latest, { untilMs }) => Math.max(latest, untilMs), 0)
    const end = Number.isFinite(until) ? new Date(until) : null
    const composed = foldLines(composeTimeZone(series.timeZone, new Date(from), end))
    yield
    return { id, text: composed, bytes: Buffer.byteLength(composed), events: 0 }
  }

  /** Remove and return what has been composed since the last call. */
  take(): string[] {
    const taken = [...this.#zones, ...this.#events]
    this.#zones = []
    this.#events = []
    return taken
  }

  calendar(method: CalendarInput['method'], about: readonly string[]): string {
    return [foldLines(head(method, about)), ...this.take(), foldLines(['END:VCALENDAR'])].join('')
  }
}

/** A change may put an occurrence before the series begins. */
const firstStartMs = ({ startsAt, changed }: Series): number =>
  Math.min(startsAt.getTime(), ...changed.map(({ times }) => (times?.startsAt ?? startsAt).getTime()))

function lastEndMs(series: Series): number {
  const end = lastEnd(series)
  return end === 'never' ? Number.POSITIVE_INFINITY : (end ?? series.startsAt).getTime()
}
