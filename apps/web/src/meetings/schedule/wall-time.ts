/**
 * What a clock on the wall of a zone shows, and when it shows it. `Temporal` is not in every browser yet, so all
 * knowledge of zones is Intl's. Series are never expanded here: that is the server's.
 */

/** `date` is 2026-11-27, `time` 09:30, with seconds where there are some. */
export type WallTime = { date: string; time: string }

const dayMs = 24 * 60 * 60 * 1000

const clocks = new Map<string, Intl.DateTimeFormat>()

/** @throws RangeError when the zone is none that the browser knows */
function clockIn(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone)
  if (known !== undefined) return known
  const clock = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', {
    timeZone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
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

/** @throws RangeError when the zone is none that the browser knows */
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
 * The instant at which the clock shows this: the first where it does so twice; where it never does, because it was put
 * forward, that much later (RFC 5545 section 3.3.5, meetings.md 4). Undefined when this is no date and time.
 *
 * @throws RangeError when the zone is none that the browser knows
 */
export function instantOf(wall: WallTime, timeZone: string): Date | undefined {
  const wallMs = wallMsOf(wall)
  if (Number.isNaN(wallMs)) return undefined
  const offsetAt = (ms: number) => wallMsOf(wallTimeOf(new Date(ms), timeZone)) - Math.floor(ms / 1000) * 1000
  // No clock is a whole day away from UTC, and none was ever changed twice within two days.
  const before = wallMs - offsetAt(wallMs - dayMs)
  const after = wallMs - offsetAt(wallMs + dayMs)
  const shows = (ms: number) => wallMsOf(wallTimeOf(new Date(ms), timeZone)) === wallMs
  return new Date(shows(before) || !shows(after) ? before : after)
}

/** The clock shows no such time on that day, because it is put forward then. */
export function isLeftOut(wall: WallTime, timeZone: string): boolean {
  const instant = instantOf(wall, timeZone)
  return instant !== undefined && wallMsOf(wallTimeOf(instant, timeZone)) !== wallMsOf(wall)
}

/** Midnight of the day after, for what lasts a whole day. */
export const nextDate = (date: string): string =>
  new Date(Date.parse(`${date}T00:00Z`) + dayMs).toISOString().slice(0, 10)

/** 0 is Sunday. */
export const weekdayOf = (date: string): number => new Date(`${date}T00:00Z`).getUTCDay()

const wallMsOf = ({ date, time }: WallTime): number => Date.parse(`${date}T${time}Z`)
