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

/** A change of an app refreshes everything under `all`. */
export const appKeys = {
  all: ['apps'],
  list: ['apps', 'list'],
  access: ['apps', 'access'],
  one: (appId: string) => ['apps', 'one', appId],
  secrets: (appId: string) => ['apps', 'one', appId, 'secrets'],
}

export const appsQuery = queryOptions({
  queryKey: appKeys.list,
  queryFn: async () => (await client.call(listApps)).apps,
})

/** How often an open page checks for an administrator's decision. */
const decisionEveryMs = 10_000

/** Whether the account may register apps, and the state of its request. */
export const accessQuery = queryOptions({
  queryKey: appKeys.access,
  queryFn: () => client.call(readOauthAccess),
  refetchInterval: ({ state: { data } }) => (data?.status === 'requested' ? decisionEveryMs : false),
})

/** The app's newest revision: its draft where there is one. */
export const appQuery = (appId: string) =>
  queryOptions({
    queryKey: appKeys.one(appId),
    queryFn: () => client.call(readApp, { params: { appId } }),
  })

/** The live revision, which users see; only for live apps. */
export const liveAppQuery = (appId: string) =>
  queryOptions({
    queryKey: [...appKeys.one(appId), 'live'],
    queryFn: () => client.call(readApp, { params: { appId }, query: { revision: 'live' } }),
  })

export const secretsQuery = (appId: string) =>
  queryOptions({
    queryKey: appKeys.secrets(appId),
    queryFn: async () => (await client.call(listSecrets, { params: { appId } })).secrets,
  })

export const testersQuery = (appId: string) =>
  queryOptions({
    queryKey: [...appKeys.one(appId), 'testers'],
    queryFn: async () => (await client.call(listTesters, { params: { appId } })).testers,
  })

/** The log of an app, filtered by the server. */
export const eventsQuery = (appId: string, filter: EventFilter) =>
  infiniteQueryOptions({
    queryKey: [...appKeys.one(appId), 'events', filter],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) => readEvents(appId, toQuery(filter, new Date(readClockMs())), pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

/** What has happened to the app itself, whatever else its log holds. */
export const appHistoryQuery = (appId: string) =>
  infiniteQueryOptions({
    queryKey: [...appKeys.one(appId), 'history'],
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
