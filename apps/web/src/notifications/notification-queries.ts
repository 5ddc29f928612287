import { listNotifications, markNotificationsRead, type ReplyOf } from '@parley/contract'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { client } from '../session/client.ts'
import { useChange } from '../session/use-change.ts'

export const notificationKeys = { all: ['notifications'] }

/** The stream of the pages tells of most at once; what it does not tell is seen this late at most. */
const readEveryMs = 60_000

const notificationsOnAPage = 30

export type Notification = ReplyOf<typeof listNotifications>['notifications'][number]

/** What happened to the person, newest first, and how much of it is unread. */
export const notificationsQuery = infiniteQueryOptions({
  queryKey: notificationKeys.all,
  refetchInterval: readEveryMs,
  initialPageParam: undefined as string | undefined,
  queryFn: ({ pageParam: after }) =>
    client.call(listNotifications, {
      query: { limit: notificationsOnAPage, ...(after !== undefined && { after }) },
    }),
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
})

/** Mark one as read, or all that are not newer than one. */
export const useMarkRead = () =>
  useChange({
    refreshes: notificationKeys.all,
    mutationFn: (read: { notificationId: string } | { upTo: string }) =>
      client.call(markNotificationsRead, { body: read }),
  })
