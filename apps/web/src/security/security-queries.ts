import { listPasskeys, listPersonalTokens, listSecurityLog, listSessions } from '@parley/contract'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../session/client.ts'

/** All that this page shows: one deed often changes several parts of it. */
export const securityKey = ['security'] as const

export const sessionsQuery = queryOptions({
  queryKey: [...securityKey, 'sessions'],
  queryFn: async () => (await client.call(listSessions)).sessions,
})

export const passkeysQuery = queryOptions({
  queryKey: [...securityKey, 'passkeys'],
  queryFn: async () => (await client.call(listPasskeys)).passkeys,
})

export const personalTokensQuery = queryOptions({
  queryKey: [...securityKey, 'tokens'],
  queryFn: async () => (await client.call(listPersonalTokens)).tokens,
})

/** What fits below the rest; older entries come when they are asked for. */
const entriesAtOnce = 10

export const securityLogQuery = infiniteQueryOptions({
  queryKey: [...securityKey, 'log'],
  queryFn: ({ pageParam: after }) =>
    client.call(listSecurityLog, { query: { limit: entriesAtOnce, ...(after !== undefined && { after }) } }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
})
