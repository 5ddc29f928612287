import { type Parsed, refuseAt } from '../text/parsed.ts'
import { utcOffsetAt, writeOffset } from './utc-offset.ts'
import { wallClockIn } from './wall-clock.ts'

/** What a clock shows, as people and programs read it. */
type Moment = {
  weekday: string
  /** `2027-03-29T09:00` */
  local: string
  timeZone: string
  /** `+02:00` */
  offset: string
  utc: string
}

const minuteMs = 60_000

/** Date and time, and an offset where the time alone is ambiguous. Seconds may be given, but only as zeros. */
const pattern = /^(\d{4}-\d\d-\d\d)T((?:[01]\d|2[0-3]):[0-5]\d)(?::00(?:\.0+)?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/i

const longDate = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'long' })
const weekdayName = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', weekday: 'long' })

/** `Monday, 29 March 2027`, of a date that the wall clock shows. */
export const writeDate = (wallMs: number): string => `${weekdayName.format(wallMs)}, ${longDate.format(wallMs)}`

/** `09:00` */
export const writeTimeOfDay = (wallMs: number): string => new Date(wallMs).toISOString().slice(11, 16)

/**
 * Read a date and time as a person says it, in their zone. A time that a clock change skips or repeats is refused, with
 * what to ask the person: a program that guesses would be an hour wrong. An offset says which of two is meant.
 */
export function readWallTime(path: string, text: string, timeZone: string): Parsed<Date> {
  const [, date = '', time = '', sentOffset] = pattern.exec(text) ?? []
  const wallMs = Date.parse(`${date}T${time}Z`)
  // Date reads 30 February as 2 March.
  if (Number.isNaN(wallMs) || new Date(wallMs).toISOString().slice(0, 10) !== date) {
    const message = 'must be what the clock shows, such as 2027-03-29T09:00; the zone goes into timeZone'
    return refuseAt(path, 'bad_format', message)
  }
  const clock = wallClockIn(timeZone)
  const instants = clock.instantsOf(wallMs)
  const [first, second] = instants
  if (first === undefined) {
    const laterMs = clock.read(clock.instantOf(wallMs))
    const alternatives = [2 * wallMs - laterMs, laterMs].map((otherMs) => writeNear(otherMs, wallMs))
    const message = `is ${time}, which does not exist on ${longDate.format(wallMs)} in ${timeZone}: ask for ${alternatives.join(' or ')}`
    return refuseAt(path, 'skipped_time', message)
  }
  const offsetOf = (instantMs: number) => writeOffset((wallMs - instantMs) / minuteMs)
  if (sentOffset !== undefined) {
    const offset = sentOffset.toUpperCase() === 'Z' ? '+00:00' : sentOffset
    const named = instants.find((instantMs) => offsetOf(instantMs) === offset)
    if (named !== undefined) return { value: new Date(named) }
    const message = `has the offset ${offset}, but in ${timeZone} it is ${instants.map(offsetOf).join(' or ')} on ${longDate.format(wallMs)} at ${time}: leave it out, or ask which zone is meant`
    return refuseAt(path, 'wrong_offset', message)
  }
  if (second === undefined) return { value: new Date(first) }
  const [early, late] = [offsetOf(first), offsetOf(second)]
  const message =
    `is ${time}, which happens twice on ${longDate.format(wallMs)} in ${timeZone}, first at ${early} and again at ${late}: ` +
    `ask which is meant, and send ${date}T${time}${early} or ${date}T${time}${late}`
  return refuseAt(path, 'repeated_time', message)
}

/** The time of day, with its date where that is another one. */
const writeNear = (otherMs: number, wallMs: number) =>
  longDate.format(otherMs) === longDate.format(wallMs)
    ? writeTimeOfDay(otherMs)
    : `${writeTimeOfDay(otherMs)} on ${longDate.format(otherMs)}`

/** Describe an instant as the clock of a zone shows it. */
export function momentIn(timeZone: string, instant: Date): Moment {
  const wallMs = wallClockIn(timeZone).read(instant.getTime())
  return {
    weekday: weekdayName.format(wallMs),
    local: new Date(wallMs).toISOString().slice(0, 'YYYY-MM-DDThh:mm'.length),
    timeZone,
    offset: writeOffset(utcOffsetAt(timeZone, instant)),
    utc: instant.toISOString(),
  }
}
