import { listReviews, type ReplyOf, readReview } from '@parley/contract'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../session/client.ts'
import type { QueueStatus } from './review-search.ts'

const reviewsOnAPage = 50

export type Review = ReplyOf<typeof readReview>
export type WaitingReview = ReplyOf<typeof listReviews>['reviews'][number]

/** Where the revision that is before the reviewers stands; what its developer has only saved is not theirs to see. */
export const standingOf = ({ app, revision }: Pick<Review, 'app' | 'revision'>) =>
  revision === app.liveRevision ? app.status : (app.draftStatus ?? app.status)

/** Everything under it is read again after a decision. */
export const reviewsKey = ['reviews']

/** The longest waiting first. */
export const queueQuery = (status: QueueStatus) =>
  infiniteQueryOptions({
    queryKey: [...reviewsKey, 'queue', status],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      client.call(listReviews, {
        query: { status, limit: reviewsOnAPage, ...(pageParam !== null && { after: pageParam }) },
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

/**
 * Read anew whenever the page is opened, and never by itself while it is looked at: the service takes what was read last as
 * what the reviewer has seen.
 */
export const reviewQuery = (appId: string) =>
  queryOptions({
    queryKey: [...reviewsKey, 'one', appId],
    queryFn: () => client.call(readReview, { params: { appId } }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

/** The app that has waited longest beside this one; undefined when nothing else waits. */
export async function findNextReview(decidedId: string): Promise<string | undefined> {
  const { reviews } = await client.call(listReviews, { query: { status: 'under_review', limit: 2 } })
  return reviews.find(({ appId }) => appId !== decidedId)?.appId
}
