import { writeWeekday } from '@parley/rules/recurrence/rrule-text'
import { type Observance, observancesOf, type YearlyDay } from '@parley/rules/recurrence/vtimezone'
import { offsetAt } from '@parley/rules/recurrence/vtimezone-transitions'
import { property } from './content-line.ts'

const hourMs = 3_600_000
const minuteMs = 60_000
const fixedOffset = /^([+-])(\d\d):(\d\d)$/

/** The UTC form of DATE-TIME (RFC 5545, 3.3.5), in whole seconds. */
export const utcTime = (instant: Date): string => `${basic(instant.getTime())}Z`

/** The local form of a wall clock time in milliseconds (see packages/rules wall-clock.ts). */
export const localTime = (wallMs: number): string => basic(wallMs)

const basic = (ms: number) => new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')

/** `PT1H30M`: in hours, not days, because a day's length depends on the calendar (RFC 5545, 3.3.6). */
export function duration(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const parts = [
    [Math.floor(seconds / 3600), 'H'],
    [Math.floor(seconds / 60) % 60, 'M'],
    [seconds % 60, 'S'],
  ] as const
  const units = parts.flatMap(([amount, unit]) => (amount === 0 ? [] : [`${amount}${unit}`]))
  return `PT${units.length === 0 ? '0S' : units.join('')}`
}

/** UTC-OFFSET (RFC 5545, 3.3.14): `+0530`; with seconds only when they are not zero. */
function utcOffset(offsetMs: number): string {
  const seconds = Math.abs(offsetMs) / 1000
  const digits = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map((part) =>
    String(part).padStart(2, '0'),
  )
  if (seconds % 60 === 0) digits.pop()
  return `${offsetMs < 0 ? '-' : '+'}${digits.join('')}`
}

/**
 * The TZID of a zone: its IANA id, which programs know without our VTIMEZONE. An offset of whole hours has an id too,
 * with the opposite sign (`Etc/GMT-5` is five hours east); other offsets use their digits.
 */
export function timeZoneId(timeZone: string): string {
  if (!fixedOffset.test(timeZone)) return timeZone
  const offsetMs = offsetAt(timeZone, 0)
  if (offsetMs === 0) return 'Etc/UTC'
  if (offsetMs % hourMs !== 0 || offsetMs < -12 * hourMs) return `UTC${utcOffset(offsetMs)}`
  return `Etc/GMT${offsetMs < 0 ? '+' : '-'}${Math.abs(offsetMs) / hourMs}`
}

/** The trigger of an alarm before the start. */
export const before = (minutes: number): string => `-${duration(minutes * minuteMs)}`

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
