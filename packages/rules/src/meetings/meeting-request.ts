import { firstOccurrence, type RecurrenceRule, type Series } from '../recurrence/recurrence.ts'
import { endAfterOccurrences } from '../recurrence/series-end.ts'
import { readTimeZone } from '../recurrence/time-zone.ts'
import { findPlainTextViolation } from '../text/plain-text.ts'
import type { Violation } from '../text/violation.ts'
import { readMeetingTimes } from './meeting-times.ts'
import { type Participant, readParticipants, type SentParticipants } from './participants.ts'
import { maxReminderMinutes } from './reminders.ts'
import {
  latestEndDate,
  maxSeriesYears,
  type ReadRepeatOptions,
  type RepeatOptions,
  readCount,
  readRepeatOptions,
} from './repeat-options.ts'

export const maxTopicLength = 250
export const maxDescriptionLength = 10_000

/** A request to create or update a meeting, types checked. Fields that the schema refused are undefined. */
export type MeetingRequest = SentParticipants & {
  topic?: string | undefined
  description?: string | undefined
  startTime?: string | undefined
  endTime?: string | undefined
  repeatOptions?: (RepeatOptions & { timeZone?: string | null | undefined }) | undefined
  reminderMinutes?: number | null | undefined
}

/** The validated meeting, as it is stored. */
export type Schedule = {
  topic: string
  description: string
  startsAt: Date
  endsAt: Date
  /** `timeZone` as it was sent; `timeZoneIana` is the IANA id or offset that it names. */
  timeZone: string
  timeZoneIana: string
  rule: RecurrenceRule
  endsBy: Date | null
  participants: readonly Participant[]
  /** Null: the service's default. */
  reminderMinutes: number | null
}

export type MeetingContext = {
  /** Used to drop the host from the guests. */
  hostAddressKey: string
  /** The zone of a request that names none; empty when the person has set none. */
  profileTimeZone: string
  timeZoneAliases: ReadonlyMap<string, string>
  /**
   * For an update: the occurrences of the changed series that stay cancelled. A series with no occurrence left is
   * refused.
   */
  excludedIn?: (changed: Series) => readonly Date[]
}

export type ReadMeetingRequest =
  | { kind: 'read'; schedule: Schedule }
  | { kind: 'refused'; violations: readonly Violation[] }

/** Validate a request as a whole and report all violations at once. */
export function readMeetingRequest(request: MeetingRequest, context: MeetingContext): ReadMeetingRequest {
  const violations: Violation[] = []
  readText('topic', request.topic, { minLength: 1, maxLength: maxTopicLength }, violations)
  readText('description', request.description, { maxLength: maxDescriptionLength, lines: true }, violations)
  const { startsAt, endsAt } = readMeetingTimes(request.startTime, request.endTime, violations)
  const participants = readParticipants(request, context.hostAddressKey, violations)
  const sentRepeat = request.repeatOptions && readRepeatOptions(request.repeatOptions, startsAt, violations)
  const count = request.repeatOptions && readCount(request.repeatOptions, violations)
  const zone = readZone(request.repeatOptions?.timeZone, context, violations)
  const repeat =
    startsAt && sentRepeat && zone && count !== undefined
      ? endAfter(count, { startsAt, timeZone: zone.timeZoneIana, repeat: sentRepeat }, violations)
      : sentRepeat
  const reminderMinutes = readReminderMinutes(request.reminderMinutes, violations)
  if (startsAt && repeat && zone) requireOccurrence(startsAt, zone.timeZoneIana, repeat, context, violations)

  const { topic, description } = request
  const isWhole = topic !== undefined && description !== undefined && startsAt && endsAt && repeat && zone
  if (violations.length > 0 || !isWhole) return { kind: 'refused', violations }
  const schedule = { topic, description, startsAt, endsAt, ...zone, ...repeat, participants, reminderMinutes }
  return { kind: 'read', schedule }
}

function readReminderMinutes(minutes: number | null | undefined, violations: Violation[]): number | null {
  if (minutes === undefined || minutes === null) return null
  if (minutes >= 0 && minutes <= maxReminderMinutes) return minutes
  violations.push({
    path: '/reminderMinutes',
    code: 'out_of_range',
    message: `reminderMinutes must be from 0 (no reminder) to ${maxReminderMinutes}.`,
  })
  return null
}

function endAfter(
  count: number,
  { startsAt, timeZone, repeat }: { startsAt: Date; timeZone: string; repeat: ReadRepeatOptions },
  violations: Violation[],
): ReadRepeatOptions {
  const series = { startsAt, durationMs: 0, timeZone, rule: repeat.rule, excluded: [] }
  const endsBy = endAfterOccurrences(series, count, latestEndDate(startsAt))
  if (endsBy !== undefined) return { ...repeat, endsBy }
  const message = `The series does not take place ${count} times within ${maxSeriesYears} years.`
  violations.push({ path: '/repeatOptions/count', code: 'too_late', message })
  return repeat
}

function requireOccurrence(
  startsAt: Date,
  timeZone: string,
  repeat: ReadRepeatOptions,
  { excludedIn }: MeetingContext,
  violations: Violation[],
) {
  // A single meeting always takes place, even on a date that its former series skipped.
  if (repeat.rule.repeat === 'none') return
  // The duration does not affect whether there is an occurrence.
  const series = { startsAt, durationMs: 0, timeZone, ...repeat, excluded: [] }
  if (firstOccurrence({ ...series, excluded: excludedIn?.(series) ?? [] }) !== undefined) return
  const path = repeat.endsBy === null ? '/repeatOptions' : '/repeatOptions/endDate'
  violations.push({ path, code: 'no_occurrence', message: 'With these repeatOptions the meeting never takes place.' })
}

function readText(
  field: 'topic' | 'description',
  text: string | undefined,
  limits: { minLength?: number; maxLength: number; lines?: boolean },
  violations: Violation[],
) {
  const violation = text === undefined ? undefined : findPlainTextViolation(text, limits)
  if (violation) violations.push({ path: `/${field}`, code: violation.code, message: `${field} ${violation.message}.` })
}

function readZone(sent: string | null | undefined, context: MeetingContext, violations: Violation[]) {
  const timeZone = sent ?? (context.profileTimeZone === '' ? 'UTC' : context.profileTimeZone)
  const reading = readTimeZone(timeZone, context.timeZoneAliases)
  if (reading.kind === 'known') return { timeZone, timeZoneIana: reading.timeZone }
  const nearby = reading.nearby.length === 0 ? '' : ` Did you mean ${reading.nearby.join(', ')}?`
  violations.push({
    path: '/repeatOptions/timeZone',
    code: 'unknown_time_zone',
    message: `There is no such time zone.${nearby} GET /api/time-zones lists the short codes; IANA names are taken as well.`,
  })
  return undefined
}
