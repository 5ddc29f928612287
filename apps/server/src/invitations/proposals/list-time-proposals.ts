import { listTimeProposals } from '@parley/contract'
import type { Service } from '../../access/service.ts'
import { requireMeetingId } from '../../meetings/meeting-id.ts'
import { findMeeting } from '../../meetings/meeting-store.ts'
import { rightsOf, viewerOf } from '../../meetings/view/meeting-viewer.ts'
import { problem } from '../../platform/http/problem.ts'
import { listProposals } from './time-proposal-store.ts'

export function serveListTimeProposals({ serve, clock, config }: Service) {
  serve(listTimeProposals, {
    handle: async ({ caller, params, database }) => {
      const row = await findMeeting(database, requireMeetingId(params.meetingId), viewerOf(caller, config))
      if (row === undefined) throw problem('meeting_not_found')
      if (!rightsOf(row, caller).seeHostFields) throw problem('forbidden')
      // The times of a cancelled meeting cannot be changed.
      const proposals = row.cancelledAt === null ? await listProposals(database, row.id, clock.now()) : []
      return {
        proposals: proposals.map(({ id, email, originalStart, startsAt, endsAt, comment, proposedAt }) => ({
          _id: id,
          email,
          ...(originalStart !== null && { originalStartTime: originalStart.toISOString() }),
          startTime: startsAt.toISOString(),
          endTime: endsAt.toISOString(),
          ...(comment !== null && { comment }),
          proposedOn: proposedAt.toISOString(),
        })),
      }
    },
  })
}
