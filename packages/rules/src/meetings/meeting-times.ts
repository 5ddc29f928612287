import { readTimestamp } from '../text/timestamp.ts'
import type { Violation } from '../text/violation.ts'

/** A longer meeting is more likely a series or a mistake in the date. */
export const maxMeetingMs = 24 * 60 * 60 * 1000

/** Imports contain past meetings; real schedules stay within these years. */
export const earliestStart = new Date('1900-01-01T00:00:00Z')
export const latestStart = new Date('2999-12-31T23:59:59Z')

/** A refused time is undefined. */
export type MeetingTimes = { startsAt: Date | undefined; endsAt: Date | undefined }

/**
 * Read the start and end of a meeting. An undefined text was already refused by the schema. The end is compared only
 * with a valid start.
 */
export function readMeetingTimes(
  startTime: string | undefined,
  endTime: string | undefined,
  violations: Violation[],
): MeetingTimes {
  const startsAt = readField('/startTime', startTime, violations)
  const endsAt = readField('/endTime', endTime, violations)
  if (startsAt !== undefined && (startsAt < earliestStart || startsAt > latestStart)) {
    violations.push({
      path: '/startTime',
      code: 'out_of_range',
      message: 'startTime must lie in the years 1900 to 2999.',
    })
    return { startsAt: undefined, endsAt }
  }
  if (startsAt === undefined || endsAt === undefined) return { startsAt, endsAt }
  if (endsAt <= startsAt) {
    violations.push({ path: '/endTime', code: 'not_after_start', message: 'endTime must be after startTime.' })
    return { startsAt, endsAt: undefined }
  }
  if (endsAt.getTime() - startsAt.getTime() > maxMeetingMs) {
    violations.push({ path: '/endTime', code: 'too_long', message: 'A meeting lasts 24 hours at most.' })
    return { startsAt, endsAt: undefined }
  }
  return { startsAt, endsAt }
}

function readField(path: string, text: string | undefined, violations: Violation[]): Date | undefined {
  if (text === undefined) return undefined
  const instant = readTimestamp(text)
  if (instant === undefined) violations.push({ path, code: 'bad_format', message: notATimestamp(path.slice(1)) })
  return instant
}

export const notATimestamp = (field: string) =>
  `${field} must be an RFC 3339 timestamp with an offset, such as 2026-11-21T09:00:00Z.`
