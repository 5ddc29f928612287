import { readInvite } from '@parley/contract'
import { seriesOf } from '@parley/rules/meetings/meeting-request'
import { noExceptions } from '@parley/rules/recurrence/recurrence'
import { findReplyGeneration } from '../access/credentials/reply-addresses.ts'
import { networkOf } from '../access/network.ts'
import type { Service } from '../access/service.ts'
import { findExceptions } from '../meetings/exception-store.ts'
import { requireMeetingId, rightsOf, viewerOf } from '../meetings/meeting-access.ts'
import { findMeeting } from '../meetings/meeting-store.ts'
import { findOwnResponses } from '../meetings/occurrence-response-store.ts'
import { problem } from '../platform/http/problem.ts'
import { CalendarBudget, fileLimits } from './calendar/calendar-budget.ts'
import { composeCalendar } from './calendar/compose-calendar.ts'
import { seriesTakingPlace } from './calendar-feed-meetings.ts'
import { publishedMeeting } from './calendar-meeting-input.ts'
import { type LimitReadings, replyWithCalendar } from './calendar-reply.ts'
import { wordsIn } from './words/in-language.ts'

/** Serve one meeting as a calendar file to anyone who may read it. Cancelled parts are marked as cancelled. */
export function serveReadInvite(service: Service & { limitReadings: LimitReadings }) {
  const { serve, config, limitReadings } = service
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
      const guest = row.people.find(({ addressKey }) => addressKey === viewer.addressKey)
      const own = guest && (await findOwnResponses(database, row.id, guest.addressKey))
      const view = {
        seesHostAddress: rightsOf(row, caller).has('seePeople'),
        invitedAs:
          guest === undefined || caller.credential.kind !== 'session'
            ? null
            : {
                addressKey: guest.addressKey,
                replyGeneration: await findReplyGeneration(database, { ...guest, meetingId: row.id }),
              },
        attendee:
          guest === undefined
            ? null
            : {
                email: guest.email,
                ...(guest.response !== null && { response: guest.response }),
                occurrences: own ?? [],
              },
      }
      answer.header('content-disposition', 'attachment; filename="invite.ics"')
      const language = reader?.language || 'en'
      const { people: _, sealedSecrets, ...meeting } = row
      const { baseUrl, mailFrom } = config
      const dependsOn = [meeting, sealedSecrets.toString('base64'), view, language, baseUrl, mailFrom]
      const compose = async () => {
        const series = seriesTakingPlace(row, await findExceptions(database, row.id))
        const shown = series ?? seriesOf(row, noExceptions)
        const status = series === undefined ? ('CANCELLED' as const) : ('CONFIRMED' as const)
        const input = publishedMeeting(service, wordsIn(language), row, shown, view)
        return composeCalendar({ ...input, method: null, status }, new CalendarBudget(fileLimits))
      }
      const readerOf = { calendar: caller.accountId, network: networkOf(request.address) }
      return limitReadings(readerOf, () => replyWithCalendar({ dependsOn, compose }, request, answer))
    },
  })
}
