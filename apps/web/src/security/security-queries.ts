import { listPasskeys, listPersonalTokens, listSecurityLog, listSessions } from '@parley/contract'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../session/client.ts'

/** Everything on the security page; one action often changes several sections. */
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

/** The page size; older entries are loaded on request. */
const entriesAtOnce = 10

export const securityLogQuery = infiniteQueryOptions({
  queryKey: [...securityKey, 'log'],
  queryFn: ({ pageParam: after }) =>
    client.call(listSecurityLog, { query: { limit: entriesAtOnce, ...(after !== undefined && { after }) } }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
})
