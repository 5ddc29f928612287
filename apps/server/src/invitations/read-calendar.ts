import { readCalendar } from '@parley/contract'
import { addressKey } from '@parley/rules/text/email-address'
import { findFeedOwner } from '../access/credentials/calendar-feed-store.ts'
import { readTokenOf } from '../access/credentials/token-secret.ts'
import type { Service } from '../access/service.ts'
import { isAddressTrusted } from '../access/trusted-address.ts'
import { problem } from '../platform/http/problem.ts'
import { composeFeed } from './calendar/compose-calendar.ts'
import { findCalendarMeetings, maxFeedMeetings } from './calendar-feed-meetings.ts'
import { publishedMeeting } from './calendar-meeting-input.ts'
import { replyWithCalendar } from './calendar-reply.ts'
import { wordsIn } from './words/in-language.ts'

/** The suggested refresh interval. Hourly is enough, because changes are mailed as well. */
const feedRefreshMs = 3_600_000

/** Serve the calendar at a private address. Every invalid address gives the same 404. */
export function serveReadCalendar(service: Service) {
  const { serve, clock, config } = service
  serve(readCalendar, {
    handle: async ({ params, request, database, answer }) => {
      const secretHash = readTokenOf('calendarFeed', params.secret)
      const owner = secretHash && (await findFeedOwner(database, secretHash))
      if (owner === undefined) throw problem('calendar_not_found')
      const { meetings, isCut } = await findCalendarMeetings(database, {
        accountId: owner.accountId,
        addressKey: isAddressTrusted(owner, config) ? owner.emailKey : null,
        now: clock.now(),
      })
      const words = wordsIn(owner.language || 'en')
      const inputs = meetings.map(({ meeting, series, only, added }) => ({
        ...publishedMeeting(service, words, meeting, series, {
          seesHostAddress: !added,
          invitedAs: added || addressKey(meeting.host.email) === owner.emailKey ? null : owner.emailKey,
        }),
        ...(only !== undefined && { only }),
      }))
      const about = {
        name: `Parley: ${owner.name} ${owner.lname}`.trim(),
        ...(isCut && { description: words.feedIsCut(maxFeedMeetings) }),
        refreshMs: feedRefreshMs,
      }
      return replyWithCalendar(composeFeed(about, inputs), request, answer)
    },
  })
}
