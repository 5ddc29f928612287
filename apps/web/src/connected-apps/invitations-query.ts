import { listTesterInvitations, type ReplyOf } from '@parley/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../session/client.ts'

export type TesterInvitation = ReplyOf<typeof listTesterInvitations>['invitations'][number]

export const invitationsQuery = queryOptions({
  queryKey: ['tester-invitations'],
  queryFn: async () => (await client.call(listTesterInvitations)).invitations,
})
