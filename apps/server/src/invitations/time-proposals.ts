import { dismissTimeProposal, listTimeProposals } from '@parley/contract'
import { findAnswerable } from '@parley/rules/invitations/answerable-occurrence'
import { statusOf } from '@parley/rules/meetings/occurrence-status'
import { seriesOf } from '@parley/rules/meetings/read-meeting-request'
import { findExceptions } from '../meetings/exception-store.ts'
import { requireMeetingId, rightsOf, viewerOf } from '../meetings/meeting-access.ts'
import { findMeeting } from '../meetings/meeting-store.ts'
import { viewNamedDates } from '../meetings/meeting-view.ts'
import { isUuid } from '../platform/database/uuid.ts'
import { problem } from '../platform/http/problem.ts'
import type { Dependencies } from './dependencies.ts'
import { listProposals, markDismissed } from './time-proposal-store.ts'

/** Register the endpoints with which hosts see and dismiss times that guests propose. */
export function registerTimeProposals({ serve, clock, config }: Dependencies) {
  serve(listTimeProposals, {
    handle: async ({ caller, params, database }) => {
      const now = clock.now()
      const row = await findMeeting(database, requireMeetingId(params.meetingId), viewerOf(caller, config))
      if (row === undefined) throw problem('meeting_not_found')
      if (!rightsOf(row, caller).has('seeHostFields')) throw problem('forbidden')
      // The times of a cancelled meeting cannot be changed.
      const proposals = row.cancelledAt === null ? await listProposals(database, row.id, now) : []
      const series = seriesOf(row, await findExceptions(database, row.id))
      return {
        proposals: proposals.flatMap(({ id, email, originalStart, startsAt, endsAt, comment, proposedAt }) => {
          const found = originalStart === null ? undefined : findAnswerable(series, originalStart, now)
          // The times of a date that is over or cancelled cannot be changed either.
          if (found !== undefined && found.kind !== 'answerable') return []
          const proposal = {
            _id: id,
            email,
            ...(found !== undefined && {
              occurrence: viewNamedDates(found.occurrence, statusOf(found.occurrence, null)),
            }),
            startTime: startsAt.toISOString(),
            endTime: endsAt.toISOString(),
            ...(comment !== null && { comment }),
            proposedOn: proposedAt.toISOString(),
          }
          return [proposal]
        }),
      }
    },
  })

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
