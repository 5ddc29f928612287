import { listAttendance } from '@parley/contract'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { client } from '../../session/client.ts'

/** One page is a month of a weekly meeting. */
const sessionsOnAPage = 5

/** The past sessions of a meeting with their attendance, newest first. */
export const historyQuery = (meetingId: string) =>
  infiniteQueryOptions({
    queryKey: ['meetings', 'one', meetingId, 'history'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      client.call(listAttendance, {
        params: { meetingId },
        query: { limit: sessionsOnAPage, ...(pageParam !== null && { after: pageParam }) },
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
