import type { SingleMeetingReply } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useNow } from '../ui/hooks/use-now.ts'
import { nextDatesQuery } from './meeting-queries.ts'

const tickMs = 60_000

/** Whether a date is running or in the future, and the meeting is not cancelled. */
export function useIsAhead(meeting: SingleMeetingReply): boolean {
  const takesPlace = useTakesPlace(meeting)
  return meeting.status !== 'cancelled' && takesPlace
}

/** Whether a date is running or in the future; of a cancelled series the one that was running then, until its end. */
export function useTakesPlace({ _id, recur, status, endTime }: SingleMeetingReply): boolean {
  const now = useNow(tickMs)
  const { data } = useQuery({ ...nextDatesQuery(_id), enabled: recur })
  if (recur) return data?.active.some((date) => new Date(date.endTime) > now) === true
  return status !== 'cancelled' && new Date(endTime) > now
}
