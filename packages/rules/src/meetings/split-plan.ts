import { type MeetingText, type MeetingTexts, mapTexts } from '@parley/contract/meeting-fields'
import { isSameRule, isSameSchedule } from '../invitations/invitation-changes.ts'
import {
  type CarriedCancellations,
  type CarriedChanges,
  carryCancellations,
  carryChanges,
  localDateOf,
} from '../recurrence/carried-dates.ts'
import { firstOccurrence, noExceptions, occurrenceAt, type Series } from '../recurrence/recurrence.ts'
import { hasBegunFrom, lastStartBefore, type SeriesParts, splitSeries } from '../recurrence/split-series.ts'
import { readTimeZoneField } from '../recurrence/time-zone.ts'
import { currentTimeZoneName } from '../recurrence/time-zone-name.ts'
import { combine, mapParsed, type Parsed, passed, readOptional, readRequired } from '../text/parsed.ts'
import { readTimestampField } from '../text/timestamp.ts'
import { type Violation, violationAt } from '../text/violation.ts'
import { findTimesViolation } from './meeting-times.ts'
import { type MeetingPerson, readParticipants, replaceRoles } from './participants.ts'
import {
  findNoOccurrence,
  type MeetingDates,
  readChangedTexts,
  readEndOfCount,
  readReminderMinutes,
  type Schedule,
  type SentMeeting,
  seriesOf,
} from './read-meeting-request.ts'
import { type RepeatOptions, type Repetition, readCount, readRepeatOptions } from './repeat-options.ts'

/** A request to change a series from one occurrence on, types checked. Fields that are absent stay as they are. */
type SplitRequest = SentMeeting & { occurrence?: string | undefined }

type RequestedSplit = {
  /** The original start. */
  occurrence: Date
  texts: Record<MeetingText, string | undefined>
  startsAt: Date | undefined
  endsAt: Date | undefined
  participants: readonly MeetingPerson[]
  namesInvited: boolean
  namesCohosts: boolean
  repetition: RequestedRepetition | undefined
  zone: { timeZone: string; timeZoneIana: string } | undefined
  /** Undefined where it was not sent. */
  reminderMinutes: number | null | undefined
}

type RequestedRepetition = Repetition & { count: number | undefined }

/** Read a request to change a series from one occurrence on. */
export function readSplit(request: SplitRequest, timeZoneAliases: ReadonlyMap<string, string>): Parsed<RequestedSplit> {
  const { repeatOptions, reminderMinutes } = request
  const occurrence = readRequired(request.occurrence, (text) => readTimestampField('/occurrence', text))
  const startsAt = readOptional(request.startTime, (text) => readTimestampField('/startTime', text))
  const parsed = combine({
    occurrence,
    texts: readChangedTexts(request),
    startsAt,
    endsAt: readOptional(request.endTime, (text) => readTimestampField('/endTime', text)),
    participants: readParticipants(request, undefined),
    repetition: readOptional(repeatOptions, (options) => readRepetition(options, startsAt.value ?? occurrence.value)),
    zone: readOptional(repeatOptions?.timeZone ?? undefined, (timeZone) =>
      mapParsed(readTimeZoneField('/repeatOptions/timeZone', timeZone, timeZoneAliases), (timeZoneIana) => ({
        timeZone,
        timeZoneIana,
      })),
    ),
    reminderMinutes: reminderMinutes === undefined ? passed : readReminderMinutes(reminderMinutes),
  })
  return mapParsed(parsed, (requested) => ({
    ...requested,
    namesInvited: request.participants !== undefined,
    namesCohosts: request.cohosts !== undefined,
  }))
}

const readRepetition = (options: RepeatOptions, startsAt: Date | undefined): Parsed<RequestedRepetition> =>
  mapParsed(
    combine({ repetition: readRepeatOptions(options, startsAt), count: readCount(options) }),
    ({ repetition, count }) => ({ ...repetition, count }),
  )

/** What a meeting has besides its series. */
type StoredMeeting = MeetingTexts & {
  timeZone: string
  people: readonly MeetingPerson[]
  hostAddressKey: string
  reminderMinutes: number | null
}

type SplitPlan =
  | { kind: 'invalid'; violations: readonly Violation[] }
  | {
      kind: 'split'
      /** The series as it remains. */
      before: Series
      /** The occurrences that it loses, from this local date on. */
      rest: Series
      fromDate: string
      continuation: Schedule
      cancellations: CarriedCancellations
      changes: CarriedChanges
      /** Whether the occurrences stay when they were, so that the answers of guests still hold. */
      isUnmoved: boolean
    }

/**
 * Decide how a series is split at one occurrence: what the series keeps, and the meeting that continues it. Occurrences
 * that have begun stay with the series. At least one occurrence must stay; otherwise the caller has to update the
 * series. The continuation keeps cancelled and changed occurrences as an updated series does.
 */
export function planSplit(series: Series, stored: StoredMeeting, requested: RequestedSplit, now: Date): SplitPlan {
  const { occurrence } = requested
  const refusal = findRefusal(series, occurrence, now)
  if (refusal !== undefined) return { kind: 'invalid', violations: [refusal] }
  const parts = splitSeries(series, occurrence)
  if (parts === undefined || firstOccurrence(parts.before) === undefined) {
    return { kind: 'invalid', violations: [nothingBefore] }
  }
  const violation = findInvalidTimes(series, requested)
  if (violation !== undefined) return { kind: 'invalid', violations: [violation] }
  const dates = continueDates(series, parts, stored.timeZone, requested)
  if (dates.violations !== undefined) return { kind: 'invalid', violations: dates.violations }

  const after = seriesOf(dates.value, noExceptions)
  const cancellations = carryCancellations(parts.rest, after)
  const noOccurrence = findNoOccurrence(
    dates.value,
    cancellations.kept.map(({ to }) => to),
  )
  if (noOccurrence !== undefined) {
    return {
      kind: 'invalid',
      violations: [requested.repetition ? noOccurrence : { ...noOccurrence, path: '/occurrence' }],
    }
  }
  return {
    kind: 'split',
    before: parts.before,
    rest: parts.rest,
    fromDate: localDateOf(series, requested.occurrence),
    continuation: {
      ...dates.value,
      ...mapTexts((name) => requested.texts[name] ?? stored[name]),
      participants: replaceRoles(stored.people, requested, stored.hostAddressKey),
      reminderMinutes: requested.reminderMinutes === undefined ? stored.reminderMinutes : requested.reminderMinutes,
    },
    cancellations,
    changes: carryChanges(parts.rest, after),
    isUnmoved: isSameSchedule(parts.rest, after),
  }
}

const invalid = (code: string, message: string): Violation => violationAt('/occurrence', { code, message })

const nothingBefore = invalid('nothing_before', 'has no occurrence before it: update the whole meeting instead')

function findRefusal(series: Series, originalStart: Date, now: Date): Violation | undefined {
  if (series.rule.repeat === 'none') return invalid('not_recurring', 'belongs to a meeting that does not repeat')
  const occurrence = occurrenceAt(series, originalStart)
  if (occurrence === undefined) return invalid('no_such_occurrence', 'is no date of this meeting')
  if (occurrence.endsAt <= now) return invalid('occurrence_over', 'is over')
  if (!hasBegunFrom(series, originalStart, now)) return undefined
  return invalid('occurrence_begun', 'has begun, or one after it has: name a later one')
}

const startOf = ({ startsAt, occurrence }: RequestedSplit): Date => startsAt ?? occurrence

const endOf = (series: Series, requested: RequestedSplit): Date =>
  requested.endsAt ?? new Date(startOf(requested).getTime() + series.durationMs)

/** A start in the part that stays would repeat occurrences, as when a client sends back the start of the series. */
function findInvalidTimes(series: Series, requested: RequestedSplit): Violation | undefined {
  const violation = findTimesViolation(startOf(requested), endOf(series, requested))
  const last = lastStartBefore(series, requested.occurrence)
  if (violation !== undefined || last === undefined || startOf(requested) > last) return violation
  const message = 'must be after the last occurrence that stays with the series'
  return violationAt('/startTime', { code: 'before_split', message })
}

/**
 * When the continuation takes place. A rule that is sent has its own end; otherwise it is what is left of the series.
 */
function continueDates(
  series: Series,
  { rest, countBefore }: SeriesParts,
  timeZone: string,
  requested: RequestedSplit,
): Parsed<MeetingDates> {
  const zone = requested.zone ?? { timeZone, timeZoneIana: series.timeZone }
  const startsAt = startOf(requested)
  const durationMs = endOf(series, requested).getTime() - startsAt.getTime()
  const sent = requested.repetition
  const repetition = sent === undefined || isAsRead(sent, series) ? undefined : sent
  const isSameZone = currentTimeZoneName(zone.timeZoneIana) === currentTimeZoneName(series.timeZone)
  const isAtOccurrence = startsAt.getTime() === requested.occurrence.getTime()
  if (isAtOccurrence && isSameZone && repetition === undefined) {
    const endsAt = new Date(rest.startsAt.getTime() + durationMs)
    return { value: { ...zone, startsAt: rest.startsAt, endsAt, rule: rest.rule, endsBy: rest.endsBy } }
  }
  const { count: total } = series.rule
  const left = total === undefined || countBefore === undefined ? undefined : total - countBefore
  const count = repetition === undefined ? left : repetition.count
  const rule = repetition?.rule ?? { ...series.rule, count: undefined }
  const endsBy = repetition === undefined ? (left === undefined ? series.endsBy : null) : repetition.endsBy
  const times = { startsAt, endsAt: new Date(startsAt.getTime() + durationMs) }
  if (count === undefined || rule.repeat === 'none') return { value: { ...zone, ...times, rule, endsBy } }
  return mapParsed(readEndOfCount({ startsAt, timeZoneIana: zone.timeZoneIana, rule, endsBy }, count), (end) => ({
    ...zone,
    ...times,
    rule: { ...rule, count },
    endsBy: end,
  }))
}

/**
 * Whether a client has sent back the rule of the whole series, whose count and end do not fit the rest of the series.
 */
const isAsRead = ({ rule, endsBy, count }: RequestedRepetition, series: Series): boolean =>
  isSameRule({ rule, endsBy }, { rule: { ...series.rule, count: undefined }, endsBy: series.endsBy }) &&
  count === series.rule.count
