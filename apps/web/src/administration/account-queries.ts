import { listAccountInvitations, listAccounts, listOauthRequests } from '@parley/contract'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../session/client.ts'

const accountsOnAPage = 50

/** A change of an account refreshes everything under `all`. */
export const accountKeys = { all: ['accounts'] }

/** Accounts, oldest first; `search` matches names and email addresses. */
export const accountsQuery = (words: string) =>
  infiniteQueryOptions({
    queryKey: [...accountKeys.all, 'list', words],
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

/** Accounts with a pending request for OAuth, oldest first, and their number. */
export const oauthRequestsQuery = queryOptions({
  queryKey: [...accountKeys.all, 'oauth-requests'],
  queryFn: () => client.call(listOauthRequests),
})

/** Open invitations to sign up, the latest first. */
export const accountInvitationsQuery = queryOptions({
  queryKey: [...accountKeys.all, 'invitations'],
  queryFn: () => client.call(listAccountInvitations),
})

/** Find accounts for an autocomplete field. */
export const foundAccountsQuery = (words: string) =>
  queryOptions({
    queryKey: [...accountKeys.all, 'found', words],
    queryFn: async () =>
      (await client.call(listAccounts, { query: { limit: 10, ...(words !== '' && { q: words }) } })).accounts,
  })

/** An account's display name: its names, or its email address without any. */
export const accountName = ({ name, lname, email }: { name: string; lname: string; email: string }): string =>
  `${name} ${lname}`.trim() || email
