import type { SingleMeetingReply } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useNow } from '../ui/hooks/use-now.ts'
import { nextDatesQuery } from './meeting-queries.ts'

const tickMs = 60_000

/** Whether a date is running or in the future. */
export function useIsAhead({ _id, recur, status, endTime }: SingleMeetingReply): boolean {
  const now = useNow(tickMs)
  const { data } = useQuery({ ...nextDatesQuery(_id), enabled: recur })
  if (status === 'cancelled') return false
  return recur ? data?.active.some((date) => new Date(date.endTime) > now) === true : new Date(endTime) > now
}
