import { listCalendar } from '@parley/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../session/client.ts'

/** A meeting at one of its dates. */
export type DatedMeeting = {
  meetingId: string
  topic: string
  startTime: string
  endTime: string
  room?: 'occupied' | 'ended'
}

/** The page size of the API. */
export const maxDates = 1000

/**
 * The meetings between two instants at most 100 days apart: the first `limit` dates in order, and whether more follow.
 */
export const datedMeetingsQuery = (from: Date, to: Date, limit = maxDates) =>
  queryOptions({
    queryKey: ['meetings', 'dated', from.toISOString(), to.toISOString(), limit],
    queryFn: () =>
      client.call(listCalendar, {
        params: { userId: 'me' },
        query: { fromDate: from.toISOString(), toDate: to.toISOString(), limit },
      }),
  })
