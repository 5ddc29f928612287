/** A change of a zone's clock from one offset to another, in milliseconds east of UTC. */
export type Transition = { atMs: number; offsetFromMs: number; offsetToMs: number }

/**
 * List the transitions of a zone from `fromMs` up to, not including, `untilMs`, in order; both in milliseconds since
 * 1970.
 *
 * @throws RangeError when the zone is invalid
 */
export function transitionsBetween(timeZone: string, fromMs: number, untilMs: number): Transition[] {
  const found: Transition[] = []
  let moment = zonedAt(timeZone, fromMs - 1)
  for (;;) {
    const next = moment.getTimeZoneTransition('next')
    if (next === null || next.epochMilliseconds >= untilMs) return found
    found.push({ atMs: next.epochMilliseconds, offsetFromMs: offsetOf(moment), offsetToMs: offsetOf(next) })
    moment = next
  }
}

/** The latest transition at or before an instant; undefined when there was none yet. */
export function transitionInEffect(timeZone: string, instantMs: number): Transition | undefined {
  const previous = zonedAt(timeZone, instantMs + 1).getTimeZoneTransition('previous')
  return previous === null ? undefined : transitionsBetween(timeZone, previous.epochMilliseconds, instantMs + 1)[0]
}

/** The offset from UTC at an instant, in milliseconds, positive east of Greenwich. */
export const offsetAt = (timeZone: string, instantMs: number): number => offsetOf(zonedAt(timeZone, instantMs))

const zonedAt = (timeZone: string, instantMs: number) =>
  Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(timeZone)

const offsetOf = (moment: Temporal.ZonedDateTime) => moment.offsetNanoseconds / 1e6
