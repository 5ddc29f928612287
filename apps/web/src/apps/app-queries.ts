import {
  listAppEvents,
  listApps,
  listScopes,
  listSecrets,
  listTesters,
  listUseCases,
  readApp,
  readOauthAccess,
} from '@parley/contract'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../session/client.ts'

const eventsOnAPage = 50

/** Everything under ['apps'] is read again after a change of an app. */
export const appsQuery = queryOptions({
  queryKey: ['apps', 'list'],
  queryFn: async () => (await client.call(listApps)).apps,
})

/** How often an open page looks whether an administrator has decided. */
const decisionEveryMs = 10_000

/** Whether the reader may register apps, and what became of their request. */
export const accessQuery = queryOptions({
  queryKey: ['apps', 'access'],
  queryFn: () => client.call(readOauthAccess),
  refetchInterval: ({ state: { data } }) => (data?.status === 'requested' ? decisionEveryMs : false),
})

/** What is newest of an app: its draft when there is one. */
export const appQuery = (appId: string) =>
  queryOptions({
    queryKey: ['apps', 'one', appId],
    queryFn: () => client.call(readApp, { params: { appId } }),
  })

/** What users meet now; only of an app that is live. */
export const liveAppQuery = (appId: string) =>
  queryOptions({
    queryKey: ['apps', 'one', appId, 'live'],
    queryFn: () => client.call(readApp, { params: { appId }, query: { revision: 'live' } }),
  })

export const secretsQuery = (appId: string) =>
  queryOptions({
    queryKey: ['apps', 'one', appId, 'secrets'],
    queryFn: async () => (await client.call(listSecrets, { params: { appId } })).secrets,
  })

export const testersQuery = (appId: string) =>
  queryOptions({
    queryKey: ['apps', 'one', appId, 'testers'],
    queryFn: async () => (await client.call(listTesters, { params: { appId } })).testers,
  })

export const eventsQuery = (appId: string) =>
  infiniteQueryOptions({
    queryKey: ['apps', 'one', appId, 'events'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      client.call(listAppEvents, {
        params: { appId },
        query: { limit: eventsOnAPage, ...(pageParam !== null && { after: pageParam }) },
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

/** What can be chosen of changes with the service's version alone. */
const fixed = { staleTime: Number.POSITIVE_INFINITY }

export const useCasesQuery = queryOptions({
  queryKey: ['use-cases'],
  ...fixed,
  queryFn: async () => (await client.call(listUseCases)).useCases,
})

export const scopesQuery = queryOptions({
  queryKey: ['scopes'],
  ...fixed,
  queryFn: async () => (await client.call(listScopes)).scopes,
})
