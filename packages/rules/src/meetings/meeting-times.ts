import { addViolations, combine, type Parsed, readRequired } from '../text/parsed.ts'
import { readTimestampField } from '../text/timestamp.ts'
import { type Violation, violationAt } from '../text/violation.ts'

/** A longer meeting is more likely a series or a mistake in the date. */
export const maxMeetingMs = 24 * 60 * 60 * 1000

/** Imports contain past meetings; real schedules stay within these years. */
const earliestStart = new Date('1900-01-01T00:00:00Z')
const latestStart = new Date('2999-12-31T23:59:59Z')

type MeetingTimes = {
  /** The start if it is valid, even if the end is not. */
  startsAt: Date | undefined
  times: Parsed<{ startsAt: Date; endsAt: Date }>
}

/**
 * Read the start and end of a meeting. An undefined text was already refused by the schema. The end is compared only
 * with a valid start.
 */
export function readMeetingTimes(startTime: string | undefined, endTime: string | undefined): MeetingTimes {
  const startsAt = readRequired(startTime, (text) => readTimestampField('/startTime', text))
  const endsAt = readRequired(endTime, (text) => readTimestampField('/endTime', text))
  const isInRange = startsAt.value !== undefined && startsAt.value >= earliestStart && startsAt.value <= latestStart
  const times = addViolations(combine({ startsAt, endsAt }), findTimesViolation(startsAt.value, endsAt.value))
  return { startsAt: isInRange ? startsAt.value : undefined, times }
}

/** The violation of a meeting's or an occurrence's times, if there is one. */
export function findTimesViolation(startsAt: Date | undefined, endsAt: Date | undefined): Violation | undefined {
  if (startsAt === undefined) return undefined
  if (startsAt < earliestStart || startsAt > latestStart) {
    return violationAt('/startTime', { code: 'out_of_range', message: 'must lie in the years 1900 to 2999' })
  }
  if (endsAt === undefined) return undefined
  if (endsAt <= startsAt) {
    return violationAt('/endTime', { code: 'not_after_start', message: 'must be after startTime' })
  }
  if (endsAt.getTime() - startsAt.getTime() > maxMeetingMs) {
    return violationAt('/endTime', { code: 'too_long', message: 'must be at most 24 hours after startTime' })
  }
  return undefined
}
