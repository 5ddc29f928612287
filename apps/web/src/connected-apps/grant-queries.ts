import { listGrantEvents, listGrants, listTesterInvitations, type ReplyOf } from '@parley/contract'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'

/** A tester who leaves loses the grants of the sandbox: an answer refreshes everything under `all`. */
export const grantKeys = {
  all: ['connected-apps'],
  grants: ['connected-apps', 'grants'],
}

export type Grant = ReplyOf<typeof listGrants>['grants'][number]

export const grantsQuery = queryOptions({
  queryKey: grantKeys.grants,
  queryFn: async () => (await client.call(listGrants)).grants,
})

/** What a connected app is called; before a review it may have no name (docs/oauth-reference.md, "Clients by document"). */
export function useGrantName(): (grant: Grant) => string {
  const { t } = useTranslation('connected-apps')
  return ({ app }) => app.name || t('unnamed')
}

/** What an app changed by a grant, newest first. */
export const activityQuery = (grantId: string) =>
  infiniteQueryOptions({
    queryKey: [...grantKeys.grants, grantId, 'activity'],
    queryFn: ({ pageParam: after }) =>
      client.call(listGrantEvents, { params: { grantId }, query: { ...(after !== undefined && { after }) } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })

export type TesterInvitation = ReplyOf<typeof listTesterInvitations>['invitations'][number]

export const invitationsQuery = queryOptions({
  queryKey: [...grantKeys.all, 'invitations'],
  queryFn: async () => (await client.call(listTesterInvitations)).invitations,
})
