import { advancedOptionDefaults, type MeetingRequest, type Violation } from '@parley/contract'
import {
  type MeetingContext,
  type ReadMeetingRequest,
  readMeetingRequest,
} from '@parley/rules/meetings/meeting-request'
import { lastEnd } from '@parley/rules/recurrence/recurrence'
import { invalidRequest } from '../platform/http/problem.ts'
import { seriesOf } from './meeting-row.ts'
import type { MeetingValues } from './meeting-store.ts'

/** Parse a request into the values to store. @throws invalid_request with all violations */
export function readMeetingValues(
  body: MeetingRequest,
  context: MeetingContext,
  read: ReadMeetingRequest = readMeetingRequest(body, context),
): MeetingValues {
  if (read.kind === 'refused') throw invalidRequest(read.violations)
  const { schedule } = read
  const series = seriesOf(schedule, [])
  const end = lastEnd({ ...series, excluded: context.excludedIn?.(series) ?? [] })
  const options = { ...advancedOptionDefaults }
  for (const name of Object.keys(options) as (keyof typeof options)[]) {
    options[name] = body.advancedOptions[name] ?? options[name]
  }
  return { ...schedule, overAt: end instanceof Date ? end : 'infinity', options }
}

/** All violations that the schema cannot express and that do not depend on the stored meeting. */
export const violationsOf = (read: ReadMeetingRequest): readonly Violation[] =>
  read.kind === 'refused' ? read.violations : []
