import { removeAddedMeeting } from '@parley/contract'
import type { Service } from '../../access/service.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { requireMeetingId } from '../meeting-id.ts'
import { deleteAddedMeeting } from './added-meeting-store.ts'

/** Remove a meeting that the caller has added from the caller's list. Invitations stay. */
export function serveRemoveAddedMeeting({ serve }: Service) {
  serve(removeAddedMeeting, {
    handle: ({ caller, params, database }) =>
      inTransaction(database, async (tx) => {
        const removed = await deleteAddedMeeting(tx, caller.accountId, requireMeetingId(params.meetingId))
        if (!removed) throw problem('meeting_not_found')
        return { status: 'The meeting is off your list.' }
      }),
  })
}
