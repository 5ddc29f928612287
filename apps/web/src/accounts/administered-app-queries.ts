import { listAdministeredApps, type ReplyOf, readAdministeredApp } from '@parley/contract'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { reviewsKey } from '../reviews/review-queries.ts'
import { client } from '../session/client.ts'

const appsOnAPage = 50

export type ListedApp = ReplyOf<typeof listAdministeredApps>['apps'][number]

/** Shares the reviews' key prefix, because suspending an app changes the reviews too. */
const administeredKey = [...reviewsKey, 'administration']

/** Apps that are suspended, or the others; `search` matches names and client ids. */
export const appListQuery = ({ suspended, words }: { suspended: boolean; words: string }) =>
  infiniteQueryOptions({
    queryKey: [...administeredKey, 'list', suspended, words],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      client.call(listAdministeredApps, {
        query: {
          limit: appsOnAPage,
          suspended,
          ...(words !== '' && { q: words }),
          ...(pageParam !== null && { after: pageParam }),
        },
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

export const administeredAppQuery = (appId: string) =>
  queryOptions({
    queryKey: [...administeredKey, 'one', appId],
    queryFn: () => client.call(readAdministeredApp, { params: { appId } }),
  })
