import { dayMs } from './calendar-day.ts'

/** The time from one transition of a clock to the next, during which its offset from UTC stays the same. */
type Stretch = { fromMs: number; untilMs: number; offsetMs: number }

const nothing: Stretch = { fromMs: 0, untilMs: 0, offsetMs: 0 }

const isWithin = (stretch: Stretch, instantMs: number) => stretch.fromMs <= instantMs && instantMs < stretch.untilMs

// What is learnt about a zone is a fact and is kept for the next series in it. There are some 600 zones, and 1,700
// offsets; ten years have 20 stretches. Beyond these numbers it is learnt anew, so that no caller can fill the memory.
const clocksKept = 2_000
const stretchesKept = 256
const clocks = new Map<string, WallClock>()

/**
 * @param timeZone an IANA id or a fixed offset
 * @throws RangeError when it is neither
 */
export function wallClockIn(timeZone: string): WallClock {
  const kept = clocks.get(timeZone)
  if (kept !== undefined) return kept
  const clock = new WallClock(timeZone)
  if (clocks.size >= clocksKept) clocks.clear()
  clocks.set(timeZone, clock)
  return clock
}

/**
 * The clock on the wall of one time zone. What it shows is a number too: the milliseconds from 1970-01-01T00:00 to the
 * date and time shown, both read on that wall. All knowledge of zones is Temporal's; it is asked once for each stretch.
 */
class WallClock {
  readonly #timeZone: string
  #stretches: Stretch[] = []
  #latest = nothing

  constructor(timeZone: string) {
    this.#timeZone = new Temporal.ZonedDateTime(0n, timeZone).timeZoneId
  }

  /** What the clock shows at an instant. */
  read(instantMs: number): number {
    return instantMs + this.#stretchAt(instantMs).offsetMs
  }

  /**
   * The instant at which the clock shows `wallMs`: the first one where it does so twice; where it never does, because it
   * was put forward, that much later (RFC 5545 section 3.3.5, Temporal's `compatible`).
   */
  instantOf(wallMs: number): number {
    // No clock is a whole day away from UTC, and none was ever changed twice within four days: the stretches a day before
    // and a day after are the same, or there is one transition between them.
    const before = this.#stretchAt(wallMs - dayMs)
    const after = this.#stretchAt(wallMs + dayMs)
    const beforeMs = wallMs - before.offsetMs
    const afterMs = wallMs - after.offsetMs
    const isLeftOut = beforeMs >= before.untilMs && afterMs < after.fromMs
    return beforeMs < before.untilMs || isLeftOut ? beforeMs : afterMs
  }

  /** All instants at which the clock shows `wallMs`, in order: one, two where it was put back, none where it left it out. */
  instantsOf(wallMs: number): number[] {
    const stretches = new Set([this.#stretchAt(wallMs - dayMs), this.#stretchAt(wallMs + dayMs)])
    return [...stretches]
      .filter((stretch) => isWithin(stretch, wallMs - stretch.offsetMs))
      .map((stretch) => wallMs - stretch.offsetMs)
  }

  #stretchAt(instantMs: number): Stretch {
    if (!isWithin(this.#latest, instantMs)) {
      this.#latest = this.#stretches.find((stretch) => isWithin(stretch, instantMs)) ?? this.#learn(instantMs)
    }
    return this.#latest
  }

  #learn(instantMs: number): Stretch {
    const moment = Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(this.#timeZone)
    const next = moment.getTimeZoneTransition('next')
    const previous = moment.add({ milliseconds: 1 }).getTimeZoneTransition('previous') // at or before the moment
    const stretch = {
      fromMs: previous?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
      untilMs: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
      offsetMs: moment.offsetNanoseconds / 1e6,
    }
    if (this.#stretches.length >= stretchesKept) this.#stretches = []
    this.#stretches.push(stretch)
    return stretch
  }
}
