import type { Occurrence } from '../recurrence/recurrence.ts'

export type OccurrenceStatus = 'active' | 'changed' | 'cancelled'

/** `cancelledAt`: when the series was cancelled. Occurrences that had begun by then were held. */
export function statusOf({ cancelled, startsAt, change }: Occurrence, cancelledAt: Date | null): OccurrenceStatus {
  if (cancelled || (cancelledAt !== null && startsAt > cancelledAt)) return 'cancelled'
  return change === null ? 'active' : 'changed'
}
