import {
  listAppEvents,
  listApps,
  listScopes,
  listSecrets,
  listSecurityLog,
  listTesters,
  listUseCases,
  readApp,
} from '@parley/contract'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../session/client.ts'

const eventsOnAPage = 50
/** The most that one answer holds: somebody who has asked has done it lately. */
const entriesLookedThrough = 100

/** Everything under ['apps'] is read again after a change of an app. */
export const appsQuery = queryOptions({
  queryKey: ['apps', 'list'],
  queryFn: async () => (await client.call(listApps)).apps,
})

/** When the reader last asked for OAuth; null when never. Their own security log knows. */
export const askedQuery = queryOptions({
  queryKey: ['apps', 'asked'],
  queryFn: async () => {
    const { entries } = await client.call(listSecurityLog, { query: { limit: entriesLookedThrough } })
    return entries.find(({ action }) => action === 'oauth.requested')?.happenedOn ?? null
  },
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
