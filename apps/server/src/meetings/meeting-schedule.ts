import { advancedOptionDefaults, type MeetingRequest, type Violation } from '@parley/contract'
import { type MeetingContext, readMeetingRequest } from '@parley/rules/meeting-request'
import { lastEnd } from '@parley/rules/recurrence'
import { invalidRequest } from '../platform/problem.ts'
import type { MeetingValues } from './meeting-store.ts'

/** Reads a request into what is kept. @throws invalid_request with everything that is wrong with it */
export function readMeetingValues(body: MeetingRequest, context: MeetingContext): MeetingValues {
  const read = readMeetingRequest(body, context)
  if (read.kind === 'refused') throw invalidRequest(read.violations)
  const { schedule } = read
  const end = lastEnd({
    ...schedule,
    durationMs: schedule.endsAt.getTime() - schedule.startsAt.getTime(),
    timeZone: schedule.timeZoneIana,
    excluded: context.skipped ?? [],
  })
  const options = { ...advancedOptionDefaults }
  for (const name of Object.keys(options) as (keyof typeof options)[]) {
    options[name] = body.advancedOptions[name] ?? options[name]
  }
  return { ...schedule, overAt: end instanceof Date ? end : 'infinity', options }
}

/** All that is wrong with what the schema has left of a request, before the meeting itself is looked at. */
export function judgeMeetingRequest(body: Partial<MeetingRequest>, context: MeetingContext): readonly Violation[] {
  const read = readMeetingRequest(body, context)
  return read.kind === 'refused' ? read.violations : []
}
