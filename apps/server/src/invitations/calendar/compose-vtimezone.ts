import { writeWeekday } from '@parley/rules/recurrence/rrule-text'
import { type Observance, observancesOf, type YearlyDay } from '@parley/rules/recurrence/vtimezone'
import { localTime, timeZoneId, utcOffset } from './calendar-time.ts'
import { property } from './content-line.ts'

/** Compose the VTIMEZONE of a zone from `from` to `until` (null: without an end; RFC 5545, 3.6.5). */
export const composeTimeZone = (timeZone: string, from: Date, until: Date | null): string[] => [
  'BEGIN:VTIMEZONE',
  property('TZID', timeZoneId(timeZone)),
  ...observancesOf(timeZone, from, until).flatMap(composeObservance),
  'END:VTIMEZONE',
]

function composeObservance({ kind, offsetFromMs, offsetToMs, firstOnsetWallMs, recurs }: Observance): string[] {
  const name = kind.toUpperCase()
  return [
    `BEGIN:${name}`,
    property('DTSTART', localTime(firstOnsetWallMs)),
    property('TZOFFSETFROM', utcOffset(offsetFromMs)),
    property('TZOFFSETTO', utcOffset(offsetToMs)),
    ...(recurs.kind === 'yearly' ? [property('RRULE', yearly(recurs.on))] : dates(recurs.onsetsWallMs)),
    `END:${name}`,
  ]
}

function yearly({ month, weekday, on }: YearlyDay): string {
  const day = writeWeekday(weekday)
  const parts = 'nth' in on ? [`BYDAY=${on.nth}${day}`] : [`BYMONTHDAY=${on.daysOfMonth.join(',')}`, `BYDAY=${day}`]
  return ['FREQ=YEARLY', `BYMONTH=${month}`, ...parts].join(';')
}

/**
 * One RDATE property for each date, including the first one, although DTSTART states it: ical.js, and with it
 * Thunderbird, reads one date per property, and ignores DTSTART when there is an RDATE.
 */
const dates = (onsetsWallMs: readonly number[]): string[] =>
  onsetsWallMs.length === 1 ? [] : onsetsWallMs.map((onset) => property('RDATE', localTime(onset)))
