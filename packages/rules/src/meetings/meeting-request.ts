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

/** As it is sent (service.md 2.1), types checked; what the schema refused is undefined. */
export type MeetingRequest = SentParticipants & {
  topic?: string | undefined
  description?: string | undefined
  startTime?: string | undefined
  endTime?: string | undefined
  repeatOptions?: (RepeatOptions & { timeZone?: string | null | undefined }) | undefined
  reminderMinutes?: number | null | undefined
}

/** What is to take place, as it is kept. */
export type Schedule = {
  topic: string
  description: string
  startsAt: Date
  endsAt: Date
  /** As it was sent, and the IANA id or offset that it names. */
  timeZone: string
  timeZoneIana: string
  rule: RecurrenceRule
  endsBy: Date | null
  participants: readonly Participant[]
  /** Null: as the service is configured. */
  reminderMinutes: number | null
}

export type MeetingContext = {
  /** The host is never their own guest. */
  hostAddressKey: string
  /** For a request that names no zone; empty when the person has set none. */
  profileTimeZone: string
  timeZoneAliases: ReadonlyMap<string, string>
  /** Of a meeting that is changed: which occurrences of the changed series stay cancelled. One with none left is refused. */
  excludedIn?: (changed: Series) => readonly Date[]
}

export type ReadMeetingRequest =
  | { kind: 'read'; schedule: Schedule }
  | { kind: 'refused'; violations: readonly Violation[] }

/** Judges what was sent as a whole and names everything that is wrong with it at once (meetings.md 2). */
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
  // A meeting that takes place once takes place, also where a date of its former series was skipped.
  if (repeat.rule.repeat === 'none') return
  // How long an occurrence lasts does not matter to whether there is one.
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
  const fault = text === undefined ? undefined : findPlainTextViolation(text, limits)
  if (fault) violations.push({ path: `/${field}`, code: fault.code, message: `${field} ${fault.message}.` })
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
