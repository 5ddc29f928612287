import { DAY_MS } from './calendar-day.ts'

/**
 * The clock on the wall of one time zone. What it shows is a number too: the milliseconds from 1970-01-01T00:00 to the
 * date and time shown, both read on that wall. The difference to the instant is the zone's offset, which stays the same
 * for months: one stretch between two transitions is kept, and Temporal is asked only where the stretch ends.
 */
export class WallClock {
  readonly #timeZone: string
  #offsetMs = 0
  #fromMs = 0
  #untilMs = 0 // nothing is known yet: the stretch is empty

  /** @param timeZone an IANA id or a fixed offset; a RangeError is thrown on first use when it is neither */
  constructor(timeZone: string) {
    this.#timeZone = timeZone
  }

  /** What the clock shows at an instant. */
  read(instantMs: number): number {
    if (!this.#knows(instantMs)) {
      this.#learn(Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(this.#timeZone))
    }
    return instantMs + this.#offsetMs
  }

  /**
   * The instant at which the clock shows `wallMs`: the first one where it does so twice; where it never does, because it
   * was put forward, that much later (RFC 5545 section 3.3.5, Temporal's `compatible`).
   */
  instantOf(wallMs: number): number {
    const instantMs = wallMs - this.#offsetMs
    // Right after a transition the clock may show for the second time what it showed before. It has never been put back
    // by more than a day, so only that day is left to Temporal; the stretch itself is always the first showing at its end.
    if (this.#knows(instantMs) && instantMs >= this.#fromMs + DAY_MS) return instantMs

    const shown = Temporal.Instant.fromEpochMilliseconds(wallMs).toZonedDateTimeISO('UTC').toPlainDateTime()
    const exact = shown.toZonedDateTime(this.#timeZone, { disambiguation: 'compatible' })
    if (!this.#knows(exact.epochMilliseconds)) this.#learn(exact)
    return exact.epochMilliseconds
  }

  #knows(instantMs: number): boolean {
    return this.#fromMs <= instantMs && instantMs < this.#untilMs
  }

  #learn(moment: Temporal.ZonedDateTime) {
    const previous = moment.add({ milliseconds: 1 }).getTimeZoneTransition('previous') // at or before the moment
    const next = moment.getTimeZoneTransition('next')
    this.#offsetMs = moment.offsetNanoseconds / 1e6
    this.#fromMs = previous?.epochMilliseconds ?? Number.NEGATIVE_INFINITY
    this.#untilMs = next?.epochMilliseconds ?? Number.POSITIVE_INFINITY
  }
}
