import type { Occurrence } from '@parley/rules/recurrence/recurrence'

export const viewDates = ({ startsAt, endsAt }: Occurrence) => ({
  startTime: startsAt.toISOString(),
  endTime: endsAt.toISOString(),
})

export const viewOccurrence = (occurrence: Occurrence, status: 'active' | 'cancelled') => ({
  ...viewDates(occurrence),
  status,
})
