import { type AccountSummary, listAccounts } from '@parley/contract'
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

const mostOnAPage = 200
/** 2,000 accounts: the service has no list of requests, and more would be too many answers for one page. */
const mostPages = 10

export type OauthRequests = {
  accounts: AccountSummary[]
  /** There are accounts that were not looked through. */
  cut: boolean
}

/** Whose request for OAuth waits, found by looking through the accounts. */
export const oauthRequestsQuery = queryOptions({
  queryKey: [...accountsKey, 'oauth-requests'],
  queryFn: async (): Promise<OauthRequests> => {
    const found: AccountSummary[] = []
    let after: string | null = null
    for (let page = 0; page < mostPages; page++) {
      const { accounts, nextCursor }: { accounts: AccountSummary[]; nextCursor: string | null } = await client.call(
        listAccounts,
        { query: { limit: mostOnAPage, ...(after !== null && { after }) } },
      )
      found.push(...accounts.filter(({ oauthRequest }) => oauthRequest !== null))
      after = nextCursor
      if (after === null) break
    }
    return { accounts: found, cut: after !== null }
  },
})

/** For a field in which an account is looked for. */
export const foundAccountsQuery = (words: string) =>
  queryOptions({
    queryKey: [...accountsKey, 'found', words],
    queryFn: async () =>
      (await client.call(listAccounts, { query: { limit: 10, ...(words !== '' && { q: words }) } })).accounts,
  })
