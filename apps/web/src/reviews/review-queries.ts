import { listReviews, type ReplyOf, readReview } from '@parley/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import type { ReviewSearch } from './review-search.ts'

const reviewsOnAPage = 50

export type Review = ReplyOf<typeof readReview>
export type WaitingReview = ReplyOf<typeof listReviews>['reviews'][number]

/** The status of the submitted revision; reviewers do not see drafts. */
export const reviewStatusOf = ({ app, revision }: Pick<Review, 'app' | 'revision'>) =>
  revision === app.liveRevision ? app.status : (app.draftStatus ?? app.status)

/** A decision refreshes everything under `all`. */
export const reviewKeys = { all: ['reviews'] }

/** Longest waiting first unless sorted otherwise. */
export const queueQuery = ({ status = 'under_review', ...sorting }: ReviewSearch) =>
  infiniteQueryOptions({
    queryKey: [...reviewKeys.all, 'queue', status, sorting],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      client.call(listReviews, {
        query: { status, limit: reviewsOnAPage, ...sorting, ...(pageParam !== null && { after: pageParam }) },
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  })

/** How many apps wait for a review. */
export const reviewCountQuery = queryOptions({
  queryKey: [...reviewKeys.all, 'count'],
  queryFn: async () => (await client.call(listReviews, { query: { limit: 1 } })).totalCount,
})

/**
 * Refetched when the page opens, and never in the background: the service treats the last read as what the reviewer has
 * seen.
 */
export const reviewQuery = (appId: string) =>
  queryOptions({
    queryKey: [...reviewKeys.all, 'one', appId],
    queryFn: () => client.call(readReview, { params: { appId } }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

/** The app that has waited longest apart from this one; undefined when no other app waits. */
export async function findNextReview(decidedId: string): Promise<string | undefined> {
  const { reviews } = await client.call(listReviews, { query: { status: 'under_review', limit: 2 } })
  return reviews.find(({ appId }) => appId !== decidedId)?.appId
}

/** Say what a client is that no developer has registered: an assistant with a document, or one that registered itself. */
export function useClientName(): (clientHost: string | undefined) => string {
  const { t } = useTranslation('reviews')
  return (clientHost) => (clientHost === undefined ? t('client.dynamic') : t('client.host', { host: clientHost }))
}
