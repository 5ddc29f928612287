import { respondToMeeting } from '@parley/contract'
import type { Service } from '../access/service.ts'
import { requireMeetingId } from '../meetings/meeting-id.ts'
import { findMeeting } from '../meetings/meeting-store.ts'
import { viewerOf } from '../meetings/view/meeting-viewer.ts'
import { problem } from '../platform/http/problem.ts'
import { findDateToRespondTo, recordResponse } from './response-store.ts'

/** Record the response of a signed-in person. The links in mails record the same. */
export function serveRespondToMeeting({ serve, clock, config }: Service) {
  serve(respondToMeeting, {
    handle: async ({ caller, params, body, database }) => {
      const viewer = viewerOf(caller, config)
      const meeting = await findMeeting(database, requireMeetingId(params.meetingId), viewer)
      if (meeting === undefined) throw problem('meeting_not_found')
      const guest = meeting.people.find(({ addressKey }) => addressKey === viewer.addressKey)
      if (guest === undefined) throw problem('not_invited', { detail: 'Only those who are invited can answer.' })
      if (meeting.cancelledAt !== null) throw problem('meeting_cancelled')
      const now = clock.now()
      const { next } = await findDateToRespondTo(database, meeting, now)
      if (next === undefined) throw problem('meeting_over')
      const { response } = body
      await recordResponse(database, {
        meetingId: meeting.id,
        addressKey: guest.addressKey,
        response,
        respondedAt: now,
      })
      return { response }
    },
  })
}
