import type { OccurrenceReply } from '@parley/contract'
import type { OccurrenceStatus } from '@parley/rules/meetings/occurrence-status'
import type { Occurrence } from '@parley/rules/recurrence/recurrence'

export const viewDates = ({ startsAt, endsAt }: Pick<Occurrence, 'startsAt' | 'endsAt'>) => ({
  startTime: startsAt.toISOString(),
  endTime: endsAt.toISOString(),
})

/** The dates of an occurrence, with what names it. */
export const viewNamedDates = (
  occurrence: Pick<Occurrence, 'originalStart' | 'startsAt' | 'endsAt'>,
  status: OccurrenceStatus,
) => ({
  ...viewDates(occurrence),
  originalStartTime: occurrence.originalStart.toISOString(),
  status,
})

export function viewOccurrence(occurrence: Occurrence, status: OccurrenceStatus): OccurrenceReply {
  const { topic = null, description = null } = occurrence.change ?? {}
  return {
    ...viewNamedDates(occurrence, status),
    ...(topic !== null && { topic }),
    ...(description !== null && { description }),
  }
}
