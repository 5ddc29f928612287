/**
 * Local times of a time zone. `Temporal` is not in every browser yet, so time zones are computed with Intl. Series are
 * expanded by the server, never here.
 */

/** `date` is 2026-11-27, `time` 09:30, with seconds where they are not zero. */
type WallTime = { date: string; time: string }

const dayMs = 24 * 60 * 60 * 1000

const clocks = new Map<string, Intl.DateTimeFormat>()

/** @throws RangeError for a time zone that the browser does not know */
function clockIn(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone)
  if (known !== undefined) return known
  const clock = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  clocks.set(timeZone, clock)
  return clock
}

export function isKnownZone(timeZone: string): boolean {
  try {
    clockIn(timeZone)
    return timeZone !== ''
  } catch {
    return false
  }
}

/** @throws RangeError for a time zone that the browser does not know */
export function wallTimeOf(instant: string | Date, timeZone: string): WallTime {
  const parts = new Map(
    clockIn(timeZone)
      .formatToParts(new Date(instant))
      .map(({ type, value }) => [type, value]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
  const seconds = part('second') === '00' ? '' : `:${part('second')}`
  return {
    date: `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}${seconds}`,
  }
}

/**
 * The instant of a local time: the first when it occurs twice; when clocks skip it, later by the skipped time (RFC
 * 5545, 3.3.5). Undefined for an invalid date or time.
 *
 * @throws RangeError for a time zone that the browser does not know
 */
export function instantOf(wall: WallTime, timeZone: string): Date | undefined {
  const wallMs = wallMsOf(wall)
  if (Number.isNaN(wallMs)) return undefined
  const offsetAt = (ms: number) => wallMsOf(wallTimeOf(new Date(ms), timeZone)) - Math.floor(ms / 1000) * 1000
  // No offset from UTC reaches a day, and no zone has two changes within two days.
  const before = wallMs - offsetAt(wallMs - dayMs)
  const after = wallMs - offsetAt(wallMs + dayMs)
  const shows = (ms: number) => wallMsOf(wallTimeOf(new Date(ms), timeZone)) === wallMs
  return new Date(shows(before) || !shows(after) ? before : after)
}

/** Whether clocks skip this local time on that day. */
export function isSkippedByClock(wall: WallTime, timeZone: string): boolean {
  const instant = instantOf(wall, timeZone)
  return instant !== undefined && wallMsOf(wallTimeOf(instant, timeZone)) !== wallMsOf(wall)
}

/** Clocks that go back show a time of day twice, usually an hour apart, and half an hour on Lord Howe Island. */
const repeatsAfterMs = [0, 30 * 60 * 1000, 60 * 60 * 1000]

/**
 * The time from an instant to the next one at which clocks show this time of day; a time that they skip is later, as in
 * `instantOf`. Undefined for an invalid time.
 *
 * @throws RangeError for a time zone that the browser does not know
 */
export function msUntil(time: string, from: Date, timeZone: string): number | undefined {
  const today = wallTimeOf(from, timeZone).date
  const tomorrow = new Date(Date.parse(`${today}T00:00Z`) + dayMs).toISOString().slice(0, 10)
  const found = [today, tomorrow].flatMap((date) => {
    const first = instantOf({ date, time }, timeZone)
    if (first === undefined) return []
    const later = repeatsAfterMs.map((ms) => new Date(first.getTime() + ms))
    return later.filter((at, place) => place === 0 || wallTimeOf(at, timeZone).time === time)
  })
  const next = found.find((at) => at > from)
  return next && next.getTime() - from.getTime()
}

/** 0 is Sunday. */
export const weekdayOf = (date: string): number => new Date(`${date}T00:00Z`).getUTCDay()

const wallMsOf = ({ date, time }: WallTime): number => Date.parse(`${date}T${time}Z`)
