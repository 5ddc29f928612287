import type { Occurrence } from '@parley/rules/recurrence'

export const viewOccurrence = ({ startsAt, endsAt }: Occurrence, status: 'active' | 'cancelled') => ({
  startTime: startsAt.toISOString(),
  endTime: endsAt.toISOString(),
  status,
})
