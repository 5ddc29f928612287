import { readInvite } from '@parley/contract'
import { noExceptions } from '@parley/rules/recurrence/recurrence'
import type { Service } from '../access/service.ts'
import { findExceptions } from '../meetings/exception-store.ts'
import { requireMeetingId } from '../meetings/meeting-id.ts'
import { seriesOf } from '../meetings/meeting-row.ts'
import { findMeeting } from '../meetings/meeting-store.ts'
import { findOwnResponses } from '../meetings/responses/occurrence-response-store.ts'
import { rightsOf, viewerOf } from '../meetings/view/meeting-viewer.ts'
import { problem } from '../platform/http/problem.ts'
import { composeCalendar } from './calendar/compose-calendar.ts'
import { seriesTakingPlace } from './calendar-feed-meetings.ts'
import { publishedMeeting } from './calendar-meeting-input.ts'
import { replyWithCalendar } from './calendar-reply.ts'
import { wordsIn } from './words/in-language.ts'

/** Serve one meeting as a calendar file to anyone who may read it. Cancelled parts are marked as cancelled. */
export function serveReadInvite(service: Service) {
  const { serve, config } = service
  serve(readInvite, {
    handle: async ({ caller, params, request, database, answer }) => {
      const viewer = viewerOf(caller, config)
      const row = await findMeeting(database, requireMeetingId(params.meetingId), viewer)
      if (row === undefined) throw problem('meeting_not_found')
      const reader = await database
        .selectFrom('account')
        .select('language')
        .where('id', '=', caller.accountId)
        .executeTakeFirst()
      const series = seriesTakingPlace(row, await findExceptions(database, row.id))
      const words = wordsIn(reader?.language || 'en')
      const guest = row.people.find(({ addressKey }) => addressKey === viewer.addressKey)
      const own = guest && (await findOwnResponses(database, row.id, guest.addressKey))
      const input = publishedMeeting(service, words, row, series ?? seriesOf(row, noExceptions), {
        seesHostAddress: rightsOf(row, caller).seePeople,
        invitedAs: guest?.addressKey ?? null,
        attendee:
          guest === undefined
            ? null
            : {
                email: guest.email,
                ...(guest.response !== null && { response: guest.response }),
                occurrences: own ?? [],
              },
      })
      answer.header('content-disposition', 'attachment; filename="invite.ics"')
      const status = series === undefined ? 'CANCELLED' : 'CONFIRMED'
      return replyWithCalendar(composeCalendar({ ...input, method: null, status }), request, answer)
    },
  })
}
