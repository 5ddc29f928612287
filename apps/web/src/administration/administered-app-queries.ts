import {
  type BodyOf,
  listAdministeredApps,
  type ReplyOf,
  readAdministeredApp,
  resumeApp,
  suspendApp,
} from '@parley/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { reviewKeys } from '../reviews/review-queries.ts'
import { client } from '../session/client.ts'
import { type ChangeHandlers, useChange } from '../session/use-change.ts'
import type { AppSorting } from './administered-app-search.ts'

const appsOnAPage = 50

export type ListedApp = ReplyOf<typeof listAdministeredApps>['apps'][number]

/** Shares the reviews' key prefix, because suspending an app changes the reviews too. */
const administeredKey = [...reviewKeys.all, 'administration']

type AppList = { suspended: boolean; words: string; sorting: AppSorting }

/** Apps that are suspended, or the others, oldest first unless sorted otherwise; `words` matches names and client ids. */
export const appListQuery = ({ suspended, words, sorting }: AppList) =>
  infiniteQueryOptions({
    queryKey: [...administeredKey, 'list', suspended, words, sorting],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      client.call(listAdministeredApps, {
        query: {
          limit: appsOnAPage,
          suspended,
          ...sorting,
          ...(words !== '' && { q: words }),
          ...(pageParam !== null && { after: pageParam }),
        },
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  })

export const administeredAppQuery = (appId: string) =>
  queryOptions({
    queryKey: [...administeredKey, 'one', appId],
    queryFn: () => client.call(readAdministeredApp, { params: { appId } }),
  })

/** Suspend an app; its developer reads the reasons. */
export const useSuspendApp = (appId: string, handlers: ChangeHandlers<unknown, BodyOf<typeof suspendApp>>) =>
  useChange(
    { mutationFn: (body) => client.call(suspendApp, { params: { appId }, body }), refreshes: reviewKeys.all },
    handlers,
  )

export const useResumeApp = (appId: string, handlers: ChangeHandlers<unknown, void>) =>
  useChange({ mutationFn: () => client.call(resumeApp, { params: { appId } }), refreshes: reviewKeys.all }, handlers)
