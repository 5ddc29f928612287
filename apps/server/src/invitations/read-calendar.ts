import { readCalendar } from '@parley/contract'
import { type FeedOwner, findFeedOwner } from '../access/credentials/calendar-feed-store.ts'
import { readTokenOf } from '../access/credentials/token-secret.ts'
import { networkOf } from '../access/network.ts'
import type { Service } from '../access/service.ts'
import { isAddressTrusted } from '../access/trusted-address.ts'
import type { Database } from '../platform/database/database.ts'
import { problem } from '../platform/http/problem.ts'
import { CalendarBudget, feedLimits, type LeftOut } from './calendar/calendar-budget.ts'
import { composeFeed } from './calendar/compose-calendar.ts'
import { type FeedSchedules, findCalendarMeetings, readFeedMeetings } from './calendar-feed-meetings.ts'
import { publishedMeeting } from './calendar-meeting-input.ts'
import { type LimitReadings, replyWithCalendar } from './calendar-reply.ts'
import { wordsIn } from './words/in-language.ts'

/** The suggested refresh interval. Hourly is enough, because changes are mailed as well. */
const feedRefreshMs = 3_600_000

/**
 * Serve the calendar at a private address. Every invalid address gives the same 404. The tag contains the day, because a
 * feed that is full leaves out the dates that are over.
 */
export function serveReadCalendar(service: Service & { limitReadings: LimitReadings }) {
  const { serve, clock, config, limitReadings } = service
  serve(readCalendar, {
    handle: async ({ params, request, database, answer }) => {
      const secretHash = readTokenOf('calendarFeed', params.secret)
      const owner = secretHash && (await findFeedOwner(database, secretHash))
      if (owner === undefined) throw problem('calendar_not_found')
      const reader = { calendar: owner.accountId, network: networkOf(request.address) }
      return limitReadings(reader, async () => {
        const now = clock.now()
        const budget = new CalendarBudget(feedLimits)
        const addressKey = isAddressTrusted(owner, config) ? owner.emailKey : null
        const found = await findCalendarMeetings(database, { accountId: owner.accountId, addressKey, now }, budget)
        const { baseUrl, mailFrom } = config
        const day = now.toISOString().slice(0, 10)
        const dependsOn = [owner, addressKey, found.versions, found.isCut, baseUrl, mailFrom, day]
        const compose = () => composeOwnFeed(service, database, owner, found, { asOf: new Date(day), budget })
        return replyWithCalendar({ dependsOn, compose }, request, answer)
      })
    },
  })
}

function composeOwnFeed(
  service: Service,
  database: Database,
  owner: FeedOwner,
  found: FeedSchedules,
  { asOf, budget }: { asOf: Date; budget: CalendarBudget },
): Promise<string> {
  const words = wordsIn(owner.language || 'en')
  async function* inputs() {
    for await (const { meeting, series, only, added } of readFeedMeetings(database, found)) {
      const input = publishedMeeting(service, words, meeting, series, { seesHostAddress: !added, invitedAs: null })
      yield { ...input, asOf, ...(only !== undefined && { only }) }
    }
  }
  const count = found.meetings.length
  const aboutFeed = ({ meetings, dates, texts }: LeftOut) => {
    const limits = [
      ...(found.isCut || meetings > 0 ? [words.feedIsCut(count - meetings)] : []),
      ...(dates + texts > 0 ? [words.feedIsShortened] : []),
    ]
    return {
      name: `Parley: ${owner.name} ${owner.lname}`.trim(),
      ...(limits.length > 0 && { description: limits.join(' ') }),
      refreshMs: feedRefreshMs,
    }
  }
  const spans = found.meetings.map(({ span }) => span)
  return composeFeed(aboutFeed, { count, spans, inputs: inputs() }, budget)
}
