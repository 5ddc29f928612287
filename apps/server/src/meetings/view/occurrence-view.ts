import type { OccurrenceReply } from '@parley/contract'
import type { RightsOfPerson } from '@parley/rules/meetings/meeting-rights'
import type { OccurrenceStatus } from '@parley/rules/meetings/occurrence-status'
import type { Occurrence } from '@parley/rules/recurrence/recurrence'

type Dates = Pick<Occurrence, 'originalStart' | 'startsAt' | 'endsAt'>

const viewDates = ({ originalStart, startsAt, endsAt }: Dates) => ({
  startTime: startsAt.toISOString(),
  endTime: endsAt.toISOString(),
  originalStartTime: originalStart.toISOString(),
})

/** The dates of an occurrence, with what names it. */
export const viewNamedDates = (occurrence: Dates, status: OccurrenceStatus) => ({ ...viewDates(occurrence), status })

/**
 * A date that a change of its series restores or removes. The topic of a removed date is deleted with it, and no other
 * reply shows it afterwards.
 */
export function viewChangedDate(occurrence: Occurrence) {
  const { topic = null } = occurrence.change ?? {}
  return { ...viewDates(occurrence), ...(topic !== null && { topic }) }
}

export function viewOccurrence(
  occurrence: Occurrence,
  status: OccurrenceStatus,
  rights: Pick<RightsOfPerson, 'has'>,
): OccurrenceReply {
  const { topic = null, description = null } = occurrence.change ?? {}
  return {
    ...viewNamedDates(occurrence, status),
    ...(topic !== null && { topic }),
    ...(description !== null && rights.has('seeContent') && { description }),
  }
}
