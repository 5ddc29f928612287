import { lastEnd } from '@parley/rules/recurrence/recurrence'
import type { CalendarInput } from './calendar-input.ts'
import { duration, timeZoneId } from './calendar-time.ts'
import { composeEvents } from './compose-event.ts'
import { composeTimeZone } from './compose-vtimezone.ts'
import { foldLines, property, text } from './content-line.ts'

export type { CalendarInput } from './calendar-input.ts'

/**
 * Compose one meeting as a calendar: an iTIP message (RFC 5546) or, without a METHOD, a file. When `series.rule` is
 * `none`, `occurrence` is ignored.
 */
export const composeCalendar = (input: CalendarInput): string =>
  calendar(input.method, [], [input], composeEvents(input))

/** The properties of a feed; programs refresh it after `refreshMs`. */
type FeedProperties = { name: string; description?: string; refreshMs: number }

/** Compose several meetings as a calendar (RFC 7986, 5; the X- properties are for older programs). */
export function composeFeed(
  { name, description, refreshMs }: FeedProperties,
  inputs: readonly CalendarInput[],
): string {
  const refresh = duration(refreshMs)
  const about = [
    property('NAME', text(name)),
    property('X-WR-CALNAME', text(name)),
    ...(description === undefined
      ? []
      : [property('DESCRIPTION', text(description)), property('X-WR-CALDESC', text(description))]),
    property('REFRESH-INTERVAL', refresh, { VALUE: 'DURATION' }),
    property('X-PUBLISHED-TTL', refresh),
  ]
  return calendar('PUBLISH', about, inputs, inputs.flatMap(composeEvents))
}

const calendar = (
  method: CalendarInput['method'],
  about: readonly string[],
  inputs: readonly CalendarInput[],
  events: readonly string[],
): string =>
  foldLines([
    'BEGIN:VCALENDAR',
    property('VERSION', '2.0'),
    property('PRODID', '-//Parley//Parley//EN'),
    property('CALSCALE', 'GREGORIAN'),
    ...(method === null ? [] : [property('METHOD', method)]),
    ...about,
    ...composeTimeZones(inputs),
    ...events,
    'END:VCALENDAR',
  ])

/** Each zone once, covering all its meetings. */
function composeTimeZones(inputs: readonly CalendarInput[]): string[] {
  const byZone = Map.groupBy(inputs, ({ series }) => timeZoneId(series.timeZone))
  return [...byZone.values()].flatMap((those) => {
    const timeZone = those[0]?.series.timeZone ?? 'UTC'
    const from = Math.min(...those.map(({ series }) => firstStartMs(series)))
    const ends = those.map(({ series, occurrence }) => Math.max(lastEndMs(series), occurrence?.getTime() ?? 0))
    const until = Math.max(...ends)
    return composeTimeZone(timeZone, new Date(from), Number.isFinite(until) ? new Date(until) : null)
  })
}

/** A change may put an occurrence before the series begins. */
const firstStartMs = ({ startsAt, changed }: CalendarInput['series']): number =>
  Math.min(startsAt.getTime(), ...changed.map(({ times }) => (times?.startsAt ?? startsAt).getTime()))

function lastEndMs(series: CalendarInput['series']): number {
  const end = lastEnd(series)
  return end === 'never' ? Number.POSITIVE_INFINITY : (end ?? series.startsAt).getTime()
}
