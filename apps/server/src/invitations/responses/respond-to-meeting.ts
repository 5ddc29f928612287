import { respondToMeeting } from '@parley/contract'
import { readOptional } from '@parley/rules/text/reading'
import { readTimestampField } from '@parley/rules/text/timestamp'
import { grantIdOf } from '../../access/caller.ts'
import type { Service } from '../../access/service.ts'
import { requireMeetingId, viewerOf } from '../../meetings/meeting-access.ts'
import { findMeeting } from '../../meetings/meeting-store.ts'
import { problem } from '../../platform/http/problem.ts'
import { respondToOccurrence } from './respond-to-occurrence.ts'
import { findDateToRespondTo, recordResponse } from './response-store.ts'

/** Record the response of a signed-in person. The links in mails record the same. */
export function serveRespondToMeeting({ serve, clock, config }: Service) {
  serve(respondToMeeting, {
    read: ({ body }) => readOptional(body.occurrence, (text) => readTimestampField('/occurrence', text)),
    handle: async ({ caller, params, body, input: originalStart, database }) => {
      const viewer = viewerOf(caller, config)
      const meeting = await findMeeting(database, requireMeetingId(params.meetingId), viewer)
      if (meeting === undefined) throw problem('meeting_not_found')
      const guest = meeting.people.find(({ addressKey }) => addressKey === viewer.addressKey)
      if (guest === undefined) throw problem('not_invited', { detail: 'Only those who are invited can answer.' })
      if (meeting.cancelledAt !== null) throw problem('meeting_cancelled')
      const now = clock.now()
      const { response } = body
      const answer = {
        meetingId: meeting.id,
        addressKey: guest.addressKey,
        response,
        comment: null,
        respondedAt: now,
        actingGrantId: grantIdOf(caller),
      }
      const { series, next } = await findDateToRespondTo(database, meeting, now)
      if (originalStart !== undefined) {
        const outcome = await respondToOccurrence(database, series, { ...answer, originalStart }, now)
        switch (outcome) {
          case 'no-such-occurrence':
            throw problem('occurrence_not_found')
          case 'occurrence-cancelled':
            throw problem('occurrence_cancelled', { detail: 'It can be answered when the host has restored it.' })
          case 'occurrence-over':
            throw problem('occurrence_over')
          case 'too-many':
            throw problem('too_many_responses')
          case 'outdated':
          case 'recorded':
            return { response, occurrence: originalStart.toISOString() }
        }
      }
      if (next === undefined) throw problem('meeting_over')
      await recordResponse(database, { ...answer, recordedAt: now })
      return { response }
    },
  })
}
