import {
  type MeetingText,
  type MeetingTexts,
  mapTexts,
  meetingTexts,
  type OptionalText,
} from '@parley/contract/meeting-fields'
import {
  type Exceptions,
  firstOccurrence,
  noExceptions,
  type RecurrenceRule,
  type Series,
} from '../recurrence/recurrence.ts'
import { endAfterOccurrences } from '../recurrence/series-end.ts'
import { readTimeZoneField } from '../recurrence/time-zone.ts'
import {
  combine,
  mapParsed,
  type Parsed,
  passed,
  readOptional,
  readRequired,
  refuse,
  refuseAt,
} from '../text/parsed.ts'
import { readPlainText } from '../text/plain-text.ts'
import { type Violation, violationAt } from '../text/violation.ts'
import { readMeetingTimes } from './meeting-times.ts'
import { completeParticipants, type MeetingPerson, readParticipants, type SentParticipants } from './participants.ts'
import { maxReminderMinutes } from './reminders.ts'
import {
  latestEndDate,
  maxSeriesYears,
  type RepeatOptions,
  type Repetition,
  readCount,
  readRepeatOptions,
} from './repeat-options.ts'

/** A request to create or update a meeting, types checked. Fields that the schema refused are undefined. */
export type SentMeeting = SentParticipants &
  SentDates &
  SentTexts & {
    reminderMinutes?: number | null | undefined
  }

type SentTexts = { [Name in MeetingText]?: string | undefined }

/** When a meeting takes place, as sent. */
type SentDates = {
  startTime?: string | undefined
  endTime?: string | undefined
  repeatOptions?: (RepeatOptions & { timeZone?: string | null | undefined }) | undefined
}

/** When a meeting takes place, as it is stored. */
export type MeetingDates = {
  startsAt: Date
  endsAt: Date
  /** `timeZone` as it was sent; `timeZoneIana` is the IANA id or offset that it names. */
  timeZone: string
  timeZoneIana: string
  rule: RecurrenceRule
  endsBy: Date | null
}

/** The rule of a meeting with its times and exceptions. A single meeting is cancelled and changed as a whole. */
export const seriesOf = (
  { startsAt, endsAt, timeZoneIana, rule, endsBy }: Omit<MeetingDates, 'timeZone'>,
  exceptions: Exceptions,
): Series => ({
  startsAt,
  durationMs: endsAt.getTime() - startsAt.getTime(),
  timeZone: timeZoneIana,
  rule,
  endsBy,
  ...(rule.repeat === 'none' ? noExceptions : exceptions),
})

/** The validated meeting, as it is stored. */
export type Schedule = MeetingDates &
  MeetingTexts & {
    participants: readonly MeetingPerson[]
    /** Null: the service's default. */
    reminderMinutes: number | null
  }

type ZoneContext = {
  /** The zone of a request that names none; empty when the person has set none. */
  profileTimeZone: string
  timeZoneAliases: ReadonlyMap<string, string>
}

export type MeetingContext = ZoneContext & {
  /** Used to drop the host from the guests; undefined for an update, whose host is not known before it is looked up. */
  hostAddressKey: string | undefined
}

const readText = (name: MeetingText, text: string): Parsed<string> =>
  readPlainText(`/${name}`, text, meetingTexts[name])

/** Read the texts of a meeting. A text that may be kept is undefined where the request omits it. */
export const readTexts = (sent: SentTexts): Parsed<RequestedTexts> =>
  mapParsed(
    combine(
      mapTexts((name) => {
        const read = (text: string) => readText(name, text)
        return meetingTexts[name].isOptional ? readOptional(sent[name], read) : readRequired(sent[name], read)
      }),
    ),
    // Only texts that may be kept can be absent.
    (texts) => texts as RequestedTexts,
  )

type RequestedTexts = Record<Exclude<MeetingText, OptionalText>, string> & Record<OptionalText, string | undefined>

/** Read the texts of a change, in which each may be absent. */
export const readChangedTexts = (sent: SentTexts): Parsed<Record<MeetingText, string | undefined>> =>
  combine(mapTexts((name) => readOptional(sent[name], (text) => readText(name, text))))

/** Read a request as a whole and report all violations at once. */
export function readMeetingRequest(request: SentMeeting, context: MeetingContext): Parsed<Schedule> {
  const { times, recurrence, occurrence } = readFieldsOfDates(request, context)
  const parsed = combine({
    texts: readTexts(request),
    times,
    participants: readParticipants(request, context.hostAddressKey),
    recurrence,
    reminderMinutes: readReminderMinutes(request.reminderMinutes),
    occurrence,
  })
  return mapParsed(parsed, ({ texts, times, recurrence, occurrence: _, ...fields }) => ({
    ...fields,
    ...mapTexts((name) => texts[name] ?? ''),
    ...times,
    ...recurrence,
  }))
}

/** Read when a meeting takes place. */
export const readMeetingDates = (sent: SentDates, context: ZoneContext): Parsed<MeetingDates> =>
  mapParsed(combine(readFieldsOfDates(sent, context)), ({ times, recurrence }) => ({ ...times, ...recurrence }))

/** What an update keeps of the stored meeting where the request omits it. */
type StoredFields = {
  cohosts: readonly string[]
  reminderMinutes: number | null
  hostAddressKey: string
  texts: MeetingTexts
}

/** Complete an update by the stored meeting: a client that does not know a field must not remove it. */
export const completeSchedule = (
  schedule: Schedule,
  request: Pick<SentMeeting, 'cohosts' | 'reminderMinutes' | OptionalText>,
  { cohosts, reminderMinutes, hostAddressKey, texts }: StoredFields,
): Schedule => ({
  ...schedule,
  ...mapTexts((name) =>
    meetingTexts[name].isOptional && (request as SentTexts)[name] === undefined ? texts[name] : schedule[name],
  ),
  participants: completeParticipants(schedule.participants, {
    cohosts: request.cohosts === undefined ? cohosts : [],
    hostAddressKey,
  }),
  reminderMinutes: request.reminderMinutes === undefined ? reminderMinutes : schedule.reminderMinutes,
})

/** Find the violation of a series that has no occurrence, or none besides the cancelled ones. */
export function findNoOccurrence(
  { startsAt, timeZoneIana, rule, endsBy }: Omit<MeetingDates, 'endsAt' | 'timeZone'>,
  cancelled: readonly Date[] = [],
): Violation | undefined {
  // A single meeting always takes place, even on a date that its former series skipped.
  if (rule.repeat === 'none') return undefined
  // The duration does not affect whether there is an occurrence.
  const series = { startsAt, durationMs: 0, timeZone: timeZoneIana, rule, endsBy, cancelled, changed: [] }
  if (firstOccurrence(series) !== undefined) return undefined
  const path = endsBy === null ? '/repeatOptions' : '/repeatOptions/endDate'
  const message =
    endsBy === null
      ? 'give the meeting no date'
      : 'gives the meeting no date: the first one would be after it, or there is none'
  return violationAt(path, { code: 'no_occurrence', message })
}

/** Read the parts of a meeting's dates, which callers combine with other fields in the order of violations. */
function readFieldsOfDates({ startTime, endTime, repeatOptions }: SentDates, context: ZoneContext) {
  const { startsAt, times } = readMeetingTimes(startTime, endTime)
  const repetition = readRequired(repeatOptions, (options) => readRepeatOptions(options, startsAt))
  const count = readRequired(repeatOptions, readCount)
  const zone = readZone(repeatOptions?.timeZone, context)
  const dates =
    startsAt && repetition.value && zone.value ? { startsAt, ...zone.value, ...repetition.value } : undefined
  const end = dates && count.value !== undefined ? readEndOfCount(dates, count.value) : { value: dates?.endsBy ?? null }
  // Validate the occurrence even when the count is refused.
  const noOccurrence = dates && findNoOccurrence({ ...dates, endsBy: end.value ?? dates.endsBy })
  return {
    times,
    recurrence: mapParsed(combine({ repetition, count, zone, end }), ({ repetition: { rule }, count, zone, end }) => ({
      ...zone,
      rule: rule.repeat === 'none' || count === undefined ? rule : { ...rule, count },
      endsBy: end,
    })),
    occurrence: noOccurrence ? refuse(noOccurrence) : passed,
  }
}

export function readReminderMinutes(minutes: number | null | undefined): Parsed<number | null> {
  if (minutes === undefined || minutes === null) return { value: null }
  if (minutes >= 0 && minutes <= maxReminderMinutes) return { value: minutes }
  return refuseAt('/reminderMinutes', 'out_of_range', `must be from 0 (no reminder) to ${maxReminderMinutes}`)
}

type Ended = Pick<MeetingDates, 'startsAt' | 'timeZoneIana'> & Repetition

/**
 * Read the end of a series that ends after a number of occurrences. Replies contain this end as `endDate` next to
 * `count`, and may be sent back; another `endDate` contradicts the count.
 */
export function readEndOfCount({ startsAt, timeZoneIana, rule, endsBy: sentEnd }: Ended, count: number): Parsed<Date> {
  const path = '/repeatOptions/count'
  const series = { startsAt, durationMs: 0, timeZone: timeZoneIana, rule, cancelled: [], changed: [] }
  const endsBy = endAfterOccurrences(series, count, latestEndDate(startsAt))
  if (endsBy === undefined) {
    return refuseAt(path, 'too_late', `is ${count}, and the series has fewer dates within ${maxSeriesYears} years`)
  }
  if (sentEnd === null || sentEnd.getTime() === endsBy.getTime()) return { value: endsBy }
  return refuseAt(path, 'not_together', 'cannot be sent together with endDate: a series ends by one of them')
}

function readZone(
  sent: string | null | undefined,
  { profileTimeZone, timeZoneAliases }: ZoneContext,
): Parsed<{ timeZone: string; timeZoneIana: string }> {
  const timeZone = sent ?? (profileTimeZone === '' ? 'UTC' : profileTimeZone)
  return mapParsed(readTimeZoneField('/repeatOptions/timeZone', timeZone, timeZoneAliases), (timeZoneIana) => ({
    timeZone,
    timeZoneIana,
  }))
}
