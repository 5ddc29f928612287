import { listTimeProposals } from '@parley/contract'
import { findAnswerable } from '@parley/rules/invitations/answerable-occurrence'
import { seriesOf } from '@parley/rules/meetings/meeting-request'
import { statusOf } from '@parley/rules/meetings/occurrence-status'
import type { Service } from '../../access/service.ts'
import { findExceptions } from '../../meetings/exception-store.ts'
import { requireMeetingId, rightsOf, viewerOf } from '../../meetings/meeting-access.ts'
import { findMeeting } from '../../meetings/meeting-store.ts'
import { viewNamedDates } from '../../meetings/meeting-view.ts'
import { problem } from '../../platform/http/problem.ts'
import { listProposals } from './time-proposal-store.ts'

export function serveListTimeProposals({ serve, clock, config }: Service) {
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
          // Neither can those of a date that is over or cancelled.
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
}
