import { listPasskeys, listPersonalTokens, listSecurityLog, listSessions } from '@parley/contract'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../session/client.ts'

/** Most changes refresh everything on the security page: one often changes several sections. */
export const securityKeys = { all: ['security'], passkeys: ['security', 'passkeys'] }

export const sessionsQuery = queryOptions({
  queryKey: [...securityKeys.all, 'sessions'],
  queryFn: async () => (await client.call(listSessions)).sessions,
})

export const passkeysQuery = queryOptions({
  queryKey: securityKeys.passkeys,
  queryFn: async () => (await client.call(listPasskeys)).passkeys,
})

export const personalTokensQuery = queryOptions({
  queryKey: [...securityKeys.all, 'tokens'],
  queryFn: async () => (await client.call(listPersonalTokens)).tokens,
})

/** The page size; older entries are loaded on request. */
const entriesAtOnce = 10

export const securityLogQuery = infiniteQueryOptions({
  queryKey: [...securityKeys.all, 'log'],
  queryFn: ({ pageParam: after }) =>
    client.call(listSecurityLog, { query: { limit: entriesAtOnce, ...(after !== undefined && { after }) } }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
})
