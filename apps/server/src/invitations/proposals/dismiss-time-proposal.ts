import { dismissTimeProposal } from '@parley/contract'
import type { Service } from '../../access/service.ts'
import { requireMeetingId, rightsOf, viewerOf } from '../../meetings/meeting-access.ts'
import { findMeeting } from '../../meetings/meeting-store.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { problem } from '../../platform/http/problem.ts'
import { markDismissed } from './time-proposal-store.ts'

export function serveDismissTimeProposal({ serve, clock, config }: Service) {
  serve(dismissTimeProposal, {
    handle: async ({ caller, params: { meetingId, proposalId }, database }) => {
      const row = await findMeeting(database, requireMeetingId(meetingId), viewerOf(caller, config))
      if (row === undefined) throw problem('meeting_not_found')
      if (!rightsOf(row, caller).has('seeHostFields')) throw problem('forbidden')
      const isFound = isUuid(proposalId) && (await markDismissed(database, row.id, proposalId, clock.now()))
      if (!isFound) throw problem('proposal_not_found')
      return { status: 'The proposal is dismissed.' }
    },
  })
}
