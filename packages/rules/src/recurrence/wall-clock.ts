import { dayMs } from './calendar-day.ts'

/** The time between two transitions, during which the offset from UTC stays the same. */
type Stretch = { fromMs: number; untilMs: number; offsetMs: number }

const nothing: Stretch = { fromMs: 0, untilMs: 0, offsetMs: 0 }

const isWithin = (stretch: Stretch, instantMs: number) => stretch.fromMs <= instantMs && instantMs < stretch.untilMs

// Cache of time zone data, shared by all series in a zone. There are some 600 zones and 1,700 offsets; ten years have
// 20 stretches. At these limits the cache is cleared, so that no caller can fill the memory.
const maxCachedClocks = 2_000
const maxCachedStretches = 256
const clocks = new Map<string, WallClock>()

/**
 * @param timeZone an IANA id or a fixed offset
 * @throws RangeError when it is neither
 */
export function wallClockIn(timeZone: string): WallClock {
  const kept = clocks.get(timeZone)
  if (kept !== undefined) return kept
  const clock = new WallClock(timeZone)
  if (clocks.size >= maxCachedClocks) clocks.clear()
  clocks.set(timeZone, clock)
  return clock
}

/**
 * The wall clock of one time zone. Wall clock times are numbers: the milliseconds from 1970-01-01T00:00 to the
 * displayed date and time, both read on that clock. The zone data comes from Temporal, which is called once for each
 * stretch.
 */
class WallClock {
  readonly #timeZone: string
  #stretches: Stretch[] = []
  #latest = nothing

  constructor(timeZone: string) {
    this.#timeZone = new Temporal.ZonedDateTime(0n, timeZone).timeZoneId
  }

  /** The wall clock time at an instant. */
  read(instantMs: number): number {
    return instantMs + this.#stretchAt(instantMs).offsetMs
  }

  /**
   * The instant at which the clock shows `wallMs`. A repeated time gives the first instant; a skipped time is moved
   * later by the length of the gap (RFC 5545, 3.3.5; Temporal's `compatible`).
   */
  instantOf(wallMs: number): number {
    // UTC offsets are below a day, and no zone ever had two transitions within four days: the stretches a day before
    // and a day after are the same, or have one transition between them.
    const before = this.#stretchAt(wallMs - dayMs)
    const after = this.#stretchAt(wallMs + dayMs)
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
    const stretches = new Set([this.#stretchAt(wallMs - dayMs), this.#stretchAt(wallMs + dayMs)])
    return [...stretches]
      .filter((stretch) => isWithin(stretch, wallMs - stretch.offsetMs))
      .map((stretch) => wallMs - stretch.offsetMs)
  }

  #stretchAt(instantMs: number): Stretch {
    if (!isWithin(this.#latest, instantMs)) {
      this.#latest = this.#stretches.find((stretch) => isWithin(stretch, instantMs)) ?? this.#load(instantMs)
    }
    return this.#latest
  }

  #load(instantMs: number): Stretch {
    const moment = Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(this.#timeZone)
    const next = moment.getTimeZoneTransition('next')
    const previous = moment.add({ milliseconds: 1 }).getTimeZoneTransition('previous') // at or before the moment
    const stretch = {
      fromMs: previous?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
      untilMs: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
      offsetMs: moment.offsetNanoseconds / 1e6,
    }
    if (this.#stretches.length >= maxCachedStretches) this.#stretches = []
    this.#stretches.push(stretch)
    return stretch
  }
}
