import { isSameRule } from '../invitations/invitation-changes.ts'
import type { RecurrenceRule } from '../recurrence/recurrence.ts'
import { readTimeZoneField } from '../recurrence/time-zone.ts'
import { currentTimeZoneName } from '../recurrence/time-zone-name.ts'
import { combine, mapParsed, type Parsed, passed, readRequired } from '../text/parsed.ts'
import type { Violation } from '../text/violation.ts'
import { readMeetingTimes } from './meeting-times.ts'
import { notForOneOccurrence, type RequestedChange } from './occurrence-change.ts'
import { isSamePeople, type MeetingPerson, readParticipants } from './participants.ts'
import { readReminderMinutes, readTexts, type SentMeeting } from './read-meeting-request.ts'
import { type Repetition, readCount, readRepeatOptions } from './repeat-options.ts'

/** A request to update a meeting, types checked. Options that are absent stay as they are. */
type UpdateRequest = SentMeeting & { advancedOptions?: Options | undefined }

type Options = Readonly<Record<string, boolean | undefined>>

/**
 * An update in the form of a whole meeting that applies to one occurrence: the changes, and the fields of the series.
 */
export type OccurrenceUpdate = {
  change: RequestedChange
  ofSeries: {
    participants: readonly MeetingPerson[]
    options: Options
    repetition: Repetition
    count: number | undefined
    /** Undefined where none was sent. */
    timeZoneIana: string | undefined
    namesCohosts: boolean
    /** Undefined where it was not sent. */
    reminderMinutes: number | null | undefined
  }
}

/**
 * Read an update that applies to one occurrence. Its times belong to the occurrence and need not fit the rule.
 * Everything that is refused here is refused in an update of the whole meeting, too.
 */
export function readOccurrenceUpdate(
  request: UpdateRequest,
  timeZoneAliases: ReadonlyMap<string, string>,
): Parsed<OccurrenceUpdate> {
  const { repeatOptions } = request
  const zone = repeatOptions?.timeZone ?? undefined
  const parsed = combine({
    texts: readTexts(request),
    times: readMeetingTimes(request.startTime, request.endTime).times,
    participants: readParticipants(request, undefined),
    repetition: readRequired(repeatOptions, (options) => readRepeatOptions(options, undefined)),
    count: readRequired(repeatOptions, readCount),
    timeZoneIana: zone === undefined ? passed : readTimeZoneField('/repeatOptions/timeZone', zone, timeZoneAliases),
    reminderMinutes: readReminderMinutes(request.reminderMinutes),
  })
  return mapParsed(parsed, ({ texts, times, ...ofSeries }) => ({
    change: { ...times, ...texts },
    ofSeries: {
      ...ofSeries,
      options: request.advancedOptions ?? {},
      namesCohosts: request.cohosts !== undefined,
      reminderMinutes: request.reminderMinutes === undefined ? undefined : ofSeries.reminderMinutes,
    },
  }))
}

/** The fields of a meeting that its occurrences share, as they are stored. */
type StoredSeries = {
  people: readonly MeetingPerson[]
  options: Options
  rule: RecurrenceRule
  endsBy: Date | null
  timeZoneIana: string
  reminderMinutes: number | null
}

/**
 * Find the fields that differ from the series and therefore cannot be changed for one occurrence. Clients send back the
 * whole meeting, so that equal ones are accepted.
 */
export function findSeriesDifferences(
  {
    participants,
    options,
    repetition,
    count,
    timeZoneIana,
    namesCohosts,
    reminderMinutes,
  }: OccurrenceUpdate['ofSeries'],
  series: StoredSeries,
  hostAddressKey: string,
): Violation[] {
  const sent = participants.filter((person) => person.addressKey !== hostAddressKey)
  const differs = {
    participants: !isSamePeople(invitedOf(sent), invitedOf(series.people)),
    cohosts: namesCohosts && !isSamePeople(cohostsOf(sent), cohostsOf(series.people)),
    advancedOptions: Object.entries(series.options).some(([name, value]) => (options[name] ?? value) !== value),
    repeatOptions: !isSameRepetition(repetition, count, series),
    'repeatOptions/timeZone': timeZoneIana !== undefined && timeZoneIana !== currentTimeZoneName(series.timeZoneIana),
    reminderMinutes: reminderMinutes !== undefined && reminderMinutes !== series.reminderMinutes,
  }
  const fields = Object.keys(differs) as (keyof typeof differs)[]
  return fields.filter((field) => differs[field]).map(notForOneOccurrence)
}

const invitedOf = (people: readonly MeetingPerson[]) => people.filter((person) => person.invited)
const cohostsOf = (people: readonly MeetingPerson[]) => people.filter((person) => person.cohost)

/** Compare how long a series lasts by either of count and end, because replies contain both. */
function isSameRepetition(
  { rule, endsBy }: Repetition,
  count: number | undefined,
  series: Pick<StoredSeries, 'rule' | 'endsBy'>,
): boolean {
  const uncounted = { rule: { ...series.rule, count: undefined }, endsBy: series.endsBy }
  if (!isSameRule({ rule, endsBy: series.endsBy }, uncounted)) return false
  if (count !== undefined && count !== series.rule.count) return false
  if (endsBy === null) return series.endsBy === null || count !== undefined
  return endsBy.getTime() === series.endsBy?.getTime()
}
