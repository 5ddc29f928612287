import { listAccountInvitations, listAccounts, listOauthRequests, type ReplyOf } from '@parley/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '../session/client.ts'
import type { AccountSearch } from './account-search.ts'

const accountsOnAPage = 50

/** A change of an account refreshes everything under `all`. */
export const accountKeys = { all: ['accounts'] }

export type ListedAccount = ReplyOf<typeof listAccounts>['accounts'][number]

/** Accounts, oldest first unless sorted otherwise; `q` matches names and email addresses. */
export const accountsQuery = (search: AccountSearch) =>
  infiniteQueryOptions({
    queryKey: [...accountKeys.all, 'list', search],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      client.call(listAccounts, {
        query: { limit: accountsOnAPage, ...search, ...(pageParam !== null && { after: pageParam }) },
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
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
