import { listGrants, type ReplyOf } from '@parley/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../session/client.ts'

export type Grant = ReplyOf<typeof listGrants>['grants'][number]

export const grantsQuery = queryOptions({
  queryKey: ['grants'],
  queryFn: async () => (await client.call(listGrants)).grants,
})
