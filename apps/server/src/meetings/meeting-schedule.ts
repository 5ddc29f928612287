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

/** Reads a request into what is kept. @throws invalid_request with everything that is wrong with it */
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

/** All that is wrong with what the schema has left of a request, before the meeting itself is looked at. */
export const violationsOf = (read: ReadMeetingRequest): readonly Violation[] =>
  read.kind === 'refused' ? read.violations : []
