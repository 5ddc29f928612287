import { listReviews, type ReplyOf } from '@parley/contract'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { reviewsKey } from '../../reviews/review-queries.ts'
import { client } from '../../session/client.ts'

const appsOnAPage = 200

export type ListedApp = ReplyOf<typeof listReviews>['reviews'][number]

/** Every app that was ever submitted. A stop is read again with the reviews, since it changes them. */
export const appListQuery = infiniteQueryOptions({
  queryKey: [...reviewsKey, 'administration'],
  initialPageParam: null as string | null,
  queryFn: ({ pageParam }) =>
    client.call(listReviews, {
      query: { status: 'all', limit: appsOnAPage, ...(pageParam !== null && { after: pageParam }) },
    }),
  getNextPageParam: ({ nextCursor }) => nextCursor,
})
