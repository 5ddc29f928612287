import { advancedOptionDefaults, type MeetingRequest } from '@parley/contract'
import { type MeetingContext, readMeetingRequest, type Schedule } from '@parley/rules/meetings/meeting-request'
import { type Exceptions, lastEnd } from '@parley/rules/recurrence/recurrence'
import { mapReading, type Reading } from '@parley/rules/text/reading'
import { seriesOf } from './meeting-row.ts'
import type { MeetingValues } from './meeting-store.ts'

type AdvancedOptions = MeetingValues['options']

/** A meeting as it was requested, before it is combined with what is stored. */
export type RequestedMeeting = { schedule: Schedule; options: AdvancedOptions }

/** Read a request to create or update a meeting. Fields that the schema refused are absent. */
export const readRequestedMeeting = (
  body: Partial<MeetingRequest>,
  context: MeetingContext,
): Reading<RequestedMeeting> =>
  mapReading(readMeetingRequest(body, context), (schedule) => ({
    schedule,
    options: completeOptions(body.advancedOptions ?? {}),
  }))

/** Return the values to store. */
export function toMeetingValues({ schedule, options }: RequestedMeeting, exceptions: Exceptions): MeetingValues {
  const end = lastEnd(seriesOf(schedule, exceptions))
  return { ...schedule, overAt: end instanceof Date ? end : 'infinity', options }
}

/** Options that are absent are as in `former`. */
export function completeOptions(
  sent: NonNullable<Partial<MeetingRequest>['advancedOptions']>,
  former: AdvancedOptions = advancedOptionDefaults,
): AdvancedOptions {
  const options = { ...former }
  for (const name of Object.keys(options) as (keyof AdvancedOptions)[]) options[name] = sent[name] ?? options[name]
  return options
}
