import { listAccounts, listOauthRequests } from '@parley/contract'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../session/client.ts'

const accountsOnAPage = 50

/** Everything under it is read again after a change of an account. */
export const accountsKey = ['accounts']

/** The oldest first; with words, those whose name or address holds them. */
export const accountsQuery = (words: string) =>
  infiniteQueryOptions({
    queryKey: [...accountsKey, 'list', words],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      client.call(listAccounts, {
        query: {
          limit: accountsOnAPage,
          ...(words !== '' && { q: words }),
          ...(pageParam !== null && { after: pageParam }),
        },
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

/** Whose request for OAuth waits, the oldest first, and how many there are. */
export const oauthRequestsQuery = queryOptions({
  queryKey: [...accountsKey, 'oauth-requests'],
  queryFn: () => client.call(listOauthRequests),
})

/** For a field in which an account is looked for. */
export const foundAccountsQuery = (words: string) =>
  queryOptions({
    queryKey: [...accountsKey, 'found', words],
    queryFn: async () =>
      (await client.call(listAccounts, { query: { limit: 10, ...(words !== '' && { q: words }) } })).accounts,
  })
