import {
  listAppEvents,
  listApps,
  listSecrets,
  listTesters,
  listUseCases,
  type QueryOf,
  readApp,
  readOauthAccess,
} from '@parley/contract'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../session/client.ts'
import { readClockMs } from '../ui/hooks/use-now.ts'
import { type EventFilter, historyKinds, toQuery } from './event-filter.ts'

const eventsOnAPage = 50

/** Queries under ['apps'] are invalidated after an app changes. */
export const appsQuery = queryOptions({
  queryKey: ['apps', 'list'],
  queryFn: async () => (await client.call(listApps)).apps,
})

/** How often an open page checks for an administrator's decision. */
const decisionEveryMs = 10_000

/** Whether the account may register apps, and the state of its request. */
export const accessQuery = queryOptions({
  queryKey: ['apps', 'access'],
  queryFn: () => client.call(readOauthAccess),
  refetchInterval: ({ state: { data } }) => (data?.status === 'requested' ? decisionEveryMs : false),
})

/** The app's newest revision: its draft where there is one. */
export const appQuery = (appId: string) =>
  queryOptions({
    queryKey: ['apps', 'one', appId],
    queryFn: () => client.call(readApp, { params: { appId } }),
  })

/** The live revision, which users see; only for live apps. */
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

/** The log of an app, filtered by the server. */
export const eventsQuery = (appId: string, filter: EventFilter) =>
  infiniteQueryOptions({
    queryKey: ['apps', 'one', appId, 'events', filter],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) => readEvents(appId, toQuery(filter, new Date(readClockMs())), pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

/** What has happened to the app itself, whatever else its log holds. */
export const appHistoryQuery = (appId: string) =>
  infiniteQueryOptions({
    queryKey: ['apps', 'one', appId, 'history'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) => readEvents(appId, { kind: historyKinds.join(',') }, pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

const readEvents = (appId: string, filter: QueryOf<typeof listAppEvents>, after: string | null) =>
  client.call(listAppEvents, {
    params: { appId },
    query: { ...filter, limit: eventsOnAPage, ...(after !== null && { after }) },
  })

/** The use cases change only with the service's version. */
export const useCasesQuery = queryOptions({
  queryKey: ['use-cases'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => (await client.call(listUseCases)).useCases,
})
