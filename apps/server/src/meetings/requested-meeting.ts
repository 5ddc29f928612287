import {
  type AdvancedOptions,
  advancedOptionDefaults,
  type BodyOf,
  type MeetingRequest,
  type QueryOf,
  type updateMeeting,
} from '@parley/contract'
import { mapTexts, meetingTexts } from '@parley/contract/meeting-fields'
import { type OccurrenceUpdate, readOccurrenceUpdate } from '@parley/rules/meetings/occurrence-update'
import { isSamePeople, readParticipants } from '@parley/rules/meetings/participants'
import { type MeetingContext, readMeetingRequest, type Schedule } from '@parley/rules/meetings/read-meeting-request'
import { addressKey } from '@parley/rules/text/email-address'
import { addViolations, combine, mapParsed, type Parsed, readOptional } from '@parley/rules/text/parsed'
import { readTimestampField } from '@parley/rules/text/timestamp'
import { violationAt } from '@parley/rules/text/violation'
import { invalidRequest, problem } from '../platform/http/problem.ts'
import type { AccessedMeeting } from './meeting-access.ts'
import type { MeetingRow } from './meeting-row.ts'

/** A meeting as it was requested, before it is combined with the stored meeting. */
type RequestedMeeting = { schedule: Schedule; options: AdvancedOptions }

/** Read a request to create or update a meeting. Fields that the schema refused are absent. */
export const readRequestedMeeting = (
  body: Partial<MeetingRequest>,
  context: MeetingContext,
): Parsed<RequestedMeeting> =>
  mapParsed(readMeetingRequest(body, context), (schedule) => ({
    schedule,
    options: completeOptions(body.advancedOptions ?? {}),
  }))

/** Options that are absent are as in `former`. */
export function completeOptions(
  sent: NonNullable<Partial<MeetingRequest>['advancedOptions']>,
  former: AdvancedOptions = advancedOptionDefaults,
): AdvancedOptions {
  const options = { ...former }
  for (const name of Object.keys(options) as (keyof AdvancedOptions)[]) options[name] = sent[name] ?? options[name]
  return options
}

/** An update of a whole meeting, or of one occurrence if the meeting turns out to be a series. */
type RequestedUpdate = { kind: 'whole'; requested: RequestedMeeting } | RequestedOccurrence

type RequestedOccurrence = {
  kind: 'one-occurrence'
  /** The original start; undefined: the next occurrence. */
  occurrence: Date | undefined
  update: OccurrenceUpdate
  /**
   * The request as a single meeting. Its times are compared with the rule, so that `whole` may be refused where
   * `update` is not.
   */
  whole: Parsed<RequestedMeeting>
}

/** Read a request to update a meeting. Fields that the schema refused are absent. */
export function readRequestedUpdate(
  query: Partial<QueryOf<typeof updateMeeting>>,
  body: Partial<BodyOf<typeof updateMeeting>>,
  context: MeetingContext,
): Parsed<RequestedUpdate> {
  const whole = readRequestedMeeting(body, context)
  if (body.editOptions?.singleEvent !== true) {
    const parsed = mapParsed(whole, (requested): RequestedUpdate => ({ kind: 'whole', requested }))
    return query.occurrence === undefined ? parsed : addViolations(parsed, withoutSingleEvent)
  }
  const parsed = combine({
    update: readOccurrenceUpdate(body, context.timeZoneAliases),
    occurrence: readOptional(query.occurrence, (text) => readTimestampField('/occurrence', text)),
  })
  return mapParsed(parsed, (one) => ({ kind: 'one-occurrence', ...one, whole }))
}

const withoutSingleEvent = violationAt('/occurrence', {
  code: 'not_together',
  message: 'requires editOptions.singleEvent',
})

/**
 * Require the right to change each field that differs from what the caller sees. A client sends the whole meeting back,
 * so that a field that was withheld comes as it was shown: empty.
 * @throws forbidden
 */
export function requireSeenFields(opened: AccessedMeeting, body: Partial<BodyOf<typeof updateMeeting>>): void {
  const { row, rights, require } = opened
  const shown = mapTexts((name) => (name === 'topic' || rights.has('seeContent') ? row[name] : ''))
  const options: Options = row.options
  const sentOptions: Options = body.advancedOptions ?? {}
  const differs = {
    ...mapTexts((name) => body[name] !== shown[name] && !(meetingTexts[name].isOptional && body[name] === undefined)),
    advancedOptions: Object.entries(options).some(([name, value]) => (sentOptions[name] ?? value) !== value),
  }
  const field = Object.entries(differs).find(([, isOther]) => isOther)?.[0]
  if (field !== undefined) require('changeContent', unchangeable(field))
  const people = rights.has('seePeople') ? row.people : []
  const { value: sent = [] } = readParticipants(body, addressKey(row.host.email))
  const isOtherPeople = !isSamePeople(
    sent.filter(({ invited }) => invited),
    people.filter(({ invited }) => invited),
  )
  if (isOtherPeople) require('changePeople', unchangeable('participants'))
  const isOtherCohosts = !isSamePeople(
    sent.filter(({ cohost }) => cohost),
    people.filter(({ cohost }) => cohost),
  )
  if (body.cohosts !== undefined && isOtherCohosts) require('nameCohosts', unchangeable('cohosts'))
}

type Options = Readonly<Record<string, boolean | undefined>>

const unchangeable = (field: string) =>
  `An administrator changes the dates of a meeting: send ${field} as it was read, with the new times.`

/** An update by a caller who changes dates only: everything else stays as it is stored. */
export function keepUnseen(requested: RequestedUpdate, row: MeetingRow): RequestedUpdate {
  const { people: participants, options } = row
  const texts = mapTexts((name) => row[name])
  const keepWhole = ({ schedule }: RequestedMeeting): RequestedMeeting => ({
    schedule: { ...schedule, ...texts, participants },
    options,
  })
  if (requested.kind === 'whole') return { kind: 'whole', requested: keepWhole(requested.requested) }
  const { startsAt, endsAt } = requested.update.change
  return {
    ...requested,
    update: {
      change: { startsAt, endsAt, ...mapTexts(() => undefined) },
      ofSeries: { ...requested.update.ofSeries, participants, options, namesCohosts: false },
    },
    whole: mapParsed(requested.whole, keepWhole),
  }
}

/**
 * The update of a meeting that is replaced as a whole. A single meeting is its only occurrence.
 * @throws occurrence_not_found, invalid_request
 */
export function wholeOf(requested: RequestedUpdate, row: MeetingRow): RequestedMeeting {
  if (requested.kind === 'whole') return requested.requested
  const { occurrence, whole } = requested
  if (occurrence !== undefined && occurrence.getTime() !== row.startsAt.getTime()) throw problem('occurrence_not_found')
  if (whole.violations !== undefined) throw invalidRequest(whole.violations)
  return whole.value
}
