import { listTimeProposals, type ReplyOf } from '@parley/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../session/client.ts'
import { meetingQuery } from '../meeting-queries.ts'

export type TimeProposal = ReplyOf<typeof listTimeProposals>['proposals'][number]

/** The times that participants propose; invalidated with the meeting. */
export const timeProposalsQuery = (meetingId: string) =>
  queryOptions({
    queryKey: [...meetingQuery(meetingId).queryKey, 'proposals'],
    queryFn: () => client.call(listTimeProposals, { params: { meetingId } }),
  })
