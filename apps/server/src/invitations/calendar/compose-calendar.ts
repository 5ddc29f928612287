import { lastEnd } from '@parley/rules/recurrence/recurrence'
import type { CalendarInput } from './calendar-input.ts'
import { duration, timeZoneId } from './calendar-time.ts'
import { composeEvents } from './compose-event.ts'
import { composeTimeZone } from './compose-vtimezone.ts'
import { foldLines, property, text } from './content-line.ts'

export type { CalendarInput } from './calendar-input.ts'

/**
 * One meeting as a calendar: an iTIP message (RFC 5546) that is mailed or, without a METHOD, the object of a file. With
 * `series.rule` of `none`, `occurrence` has no meaning.
 */
export const composeCalendar = (input: CalendarInput): string =>
  calendar(input.method, [], [input], composeEvents(input))

/** Of a calendar that is subscribed to; it is asked for again after `refreshMs`. */
export type FeedProperties = { name: string; description?: string; refreshMs: number }

/** Several meetings as a calendar (RFC 7986, 5; the X- properties are what programs read that are older). */
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

/** Each zone once, for all that takes place in it. */
function composeTimeZones(inputs: readonly CalendarInput[]): string[] {
  const byZone = Map.groupBy(inputs, ({ series }) => timeZoneId(series.timeZone))
  return [...byZone.values()].flatMap((those) => {
    const timeZone = those[0]?.series.timeZone ?? 'UTC'
    const from = Math.min(...those.map(({ series }) => series.startsAt.getTime()))
    const ends = those.map(({ series, occurrence }) => Math.max(lastEndMs(series), occurrence?.getTime() ?? 0))
    const until = Math.max(...ends)
    return composeTimeZone(timeZone, new Date(from), Number.isFinite(until) ? new Date(until) : null)
  })
}

function lastEndMs(series: CalendarInput['series']): number {
  const end = lastEnd(series)
  return end === 'never' ? Number.POSITIVE_INFINITY : (end ?? series.startsAt).getTime()
}
