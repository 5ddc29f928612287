import { dayMs } from './calendar-day.ts'

/** The time between two transitions, during which the offset from UTC stays the same. */
type OffsetInterval = { fromMs: number; untilMs: number; offsetMs: number }

const nothing: OffsetInterval = { fromMs: 0, untilMs: 0, offsetMs: 0 }

const isWithin = (interval: OffsetInterval, instantMs: number) =>
  interval.fromMs <= instantMs && instantMs < interval.untilMs

// Cache of time zone data, shared by all series in a zone. There are some 600 zones and 1,700 offsets; ten years have
// 20 intervals. At these limits the cache is cleared, so that no caller can fill the memory.
const maxCachedClocks = 2_000
const maxCachedIntervals = 256
const clocks = new Map<string, WallClock>()

/**
 * @param timeZone an IANA id or a fixed offset
 * @throws RangeError when it is neither
 */
export function wallClockIn(timeZone: string): WallClock {
  const cached = clocks.get(timeZone)
  if (cached !== undefined) return cached
  const clock = new WallClock(timeZone)
  if (clocks.size >= maxCachedClocks) clocks.clear()
  clocks.set(timeZone, clock)
  return clock
}

/**
 * The wall clock of one time zone. Wall clock times are numbers: the milliseconds from 1970-01-01T00:00 to the
 * displayed date and time, both read on that clock. The zone data comes from Temporal, which is called once for each
 * interval.
 */
class WallClock {
  readonly #timeZone: string
  #intervals: OffsetInterval[] = []
  #latest = nothing

  constructor(timeZone: string) {
    this.#timeZone = new Temporal.ZonedDateTime(0n, timeZone).timeZoneId
  }

  /** The wall clock time at an instant. */
  read(instantMs: number): number {
    return instantMs + this.#intervalAt(instantMs).offsetMs
  }

  /**
   * The instant at which the clock shows `wallMs`. A repeated time gives the first instant; a skipped time is moved
   * later by the length of the gap (RFC 5545, 3.3.5; Temporal's `compatible`).
   */
  instantOf(wallMs: number): number {
    // UTC offsets are below a day, and no zone ever had two transitions within four days: the intervals a day before
    // and a day after are the same, or have one transition between them.
    const before = this.#intervalAt(wallMs - dayMs)
    const after = this.#intervalAt(wallMs + dayMs)
    const beforeMs = wallMs - before.offsetMs
    const afterMs = wallMs - after.offsetMs
    const isSkipped = beforeMs >= before.untilMs && afterMs < after.fromMs
    return beforeMs < before.untilMs || isSkipped ? beforeMs : afterMs
  }

  /**
   * All instants at which the clock shows `wallMs`, in order: normally one, two for a repeated time, none for a skipped
   * one.
   */
  instantsOf(wallMs: number): number[] {
    const intervals = new Set([this.#intervalAt(wallMs - dayMs), this.#intervalAt(wallMs + dayMs)])
    return [...intervals]
      .filter((interval) => isWithin(interval, wallMs - interval.offsetMs))
      .map((interval) => wallMs - interval.offsetMs)
  }

  #intervalAt(instantMs: number): OffsetInterval {
    if (!isWithin(this.#latest, instantMs)) {
      this.#latest = this.#intervals.find((interval) => isWithin(interval, instantMs)) ?? this.#load(instantMs)
    }
    return this.#latest
  }

  #load(instantMs: number): OffsetInterval {
    const moment = Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(this.#timeZone)
    const next = moment.getTimeZoneTransition('next')
    const previous = moment.add({ milliseconds: 1 }).getTimeZoneTransition('previous') // at or before the moment
    const interval = {
      fromMs: previous?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
      untilMs: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
      offsetMs: moment.offsetNanoseconds / 1e6,
    }
    if (this.#intervals.length >= maxCachedIntervals) this.#intervals = []
    this.#intervals.push(interval)
    return interval
  }
}
