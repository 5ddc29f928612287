import { listAttendance } from '@parley/contract'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { client } from '../../session/client.ts'

/** A weekly meeting shows a month at once. */
const sessionsOnAPage = 5

/** When a meeting was held and who was there, the newest first. */
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
