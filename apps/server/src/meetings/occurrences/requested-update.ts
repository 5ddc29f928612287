import type { BodyOf, QueryOf, updateMeeting } from '@parley/contract'
import type { MeetingContext } from '@parley/rules/meetings/meeting-request'
import { type OccurrenceUpdate, readOccurrenceUpdate } from '@parley/rules/meetings/occurrence-update'
import { addViolations, combine, mapReading, type Reading, readOptional } from '@parley/rules/text/reading'
import { readTimestampField } from '@parley/rules/text/timestamp'
import { violationAt } from '@parley/rules/text/violation'
import { invalidRequest, problem } from '../../platform/http/problem.ts'
import type { MeetingRow } from '../meeting-row.ts'
import { type RequestedMeeting, readRequestedMeeting } from '../requested-meeting.ts'

/** An update of a whole meeting, or of one occurrence if the meeting turns out to be a series. */
type RequestedUpdate = { kind: 'whole'; requested: RequestedMeeting } | RequestedOccurrence

type RequestedOccurrence = {
  kind: 'one-occurrence'
  /** The original start; undefined: the next occurrence. */
  occurrence: Date | undefined
  update: OccurrenceUpdate
  /** For a single meeting. Its times are compared with the rule, so that it may be refused where `update` is not. */
  whole: Reading<RequestedMeeting>
}

/** Read a request to update a meeting. Fields that the schema refused are absent. */
export function readRequestedUpdate(
  query: Partial<QueryOf<typeof updateMeeting>>,
  body: Partial<BodyOf<typeof updateMeeting>>,
  context: MeetingContext,
): Reading<RequestedUpdate> {
  const whole = readRequestedMeeting(body, context)
  if (body.editOptions?.singleEvent !== true) {
    const reading = mapReading(whole, (requested): RequestedUpdate => ({ kind: 'whole', requested }))
    return query.occurrence === undefined ? reading : addViolations(reading, withoutSingleEvent)
  }
  const readings = combine({
    update: readOccurrenceUpdate(body, context.timeZoneAliases),
    occurrence: readOptional(query.occurrence, (text) => readTimestampField('/occurrence', text)),
  })
  return mapReading(readings, (one) => ({ kind: 'one-occurrence', ...one, whole }))
}

const withoutSingleEvent = violationAt('/occurrence', {
  code: 'not_together',
  message: 'requires editOptions.singleEvent',
})

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
