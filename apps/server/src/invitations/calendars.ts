import { hash } from 'node:crypto'
import { createCalendarFeed, deleteCalendarFeed, readCalendar, readCalendarFeed, readInvite } from '@parley/contract'
import { seriesOf } from '@parley/rules/meetings/read-meeting-request'
import { noExceptions } from '@parley/rules/recurrence/recurrence'
import { audit } from '../access/audit.ts'
import {
  deleteFeed,
  type FeedOwner,
  findFeed,
  findFeedOwner,
  replaceFeed,
} from '../access/credentials/calendar-feed-store.ts'
import { lockCredentialForShare } from '../access/credentials/lock-credential.ts'
import { findReplyGeneration } from '../access/credentials/reply-addresses.ts'
import { newToken, readTokenOf } from '../access/credentials/token-secret.ts'
import { networkOf } from '../access/network.ts'
import type { HandlerContext } from '../access/serve.ts'
import { isAddressTrusted } from '../access/trusted-address.ts'
import { findExceptions } from '../meetings/exception-store.ts'
import { requireMeetingId, rightsOf, viewerOf } from '../meetings/meeting-access.ts'
import { findMeeting } from '../meetings/meeting-store.ts'
import { findOwnResponses } from '../meetings/occurrence-response-store.ts'
import type { Config } from '../platform/config/config.ts'
import { type Database, inTransaction } from '../platform/database/database.ts'
import { createFairLimit } from '../platform/fair-limit.ts'
import { problem, tooManyRequests } from '../platform/http/problem.ts'
import { matchesEtag } from '../platform/http/static-file.ts'
import { createRateLimiter } from '../platform/rate-limiter.ts'
import { textsIn } from '../platform/texts.ts'
import { CalendarBudget, feedLimits, fileLimits, type Omitted } from './calendar/calendar-budget.ts'
import { composeCalendar, composeFeed } from './calendar/compose-calendar.ts'
import { publishedMeeting } from './calendar-meeting-input.ts'
import {
  type FeedSchedules,
  findCalendarMeetings,
  findReaderLanguage,
  readFeedMeetings,
  seriesTakingPlace,
} from './calendar-meeting-store.ts'
import type { Dependencies } from './dependencies.ts'

/** Register the endpoints of a person's calendar feed, and those that serve the feed and the file of one meeting. */
export function registerCalendars(dependencies: Dependencies) {
  serveCalendarFeedAddress(dependencies)
  const limitReadings = createReadingLimits(dependencies.config)
  serveReadCalendar({ ...dependencies, limitReadings })
  serveReadInvite({ ...dependencies, limitReadings })
}

/** Create, show and delete the private address of a person's calendar. The address itself is not stored. */
function serveCalendarFeedAddress({ serve, clock, random, config }: Dependencies) {
  // A new address replaces the previous one.
  serve(createCalendarFeed, {
    handle: ({ caller, request: { address }, database }) =>
      inTransaction(database, async (tx) => {
        const now = clock.now()
        if (!(await lockCredentialForShare(tx, caller))) throw problem('unauthorized')
        const { tenantId, accountId } = caller
        const { token, hash } = newToken('calendarFeed', random)
        await replaceFeed(tx, { accountId, secretHash: hash, createdAt: now })
        const entry = { tenantId, actorId: accountId, subjectId: accountId, detail: {}, address }
        await audit(tx, random, now, { ...entry, action: 'calendar-feed.created' })
        return { url: `${config.baseUrl}/calendar/${token}.ics`, createdOn: now.toISOString() }
      }),
  })

  serve(readCalendarFeed, {
    handle: async ({ caller, database }) => {
      const feed = await findFeed(database, caller.accountId)
      return { createdOn: feed?.createdAt.toISOString() ?? null }
    },
  })

  serve(deleteCalendarFeed, {
    handle: ({ caller: { tenantId, accountId }, request: { address }, database }) =>
      inTransaction(database, async (tx) => {
        if (!(await deleteFeed(tx, accountId))) throw problem('calendar_not_found')
        const entry = { tenantId, actorId: accountId, subjectId: accountId, detail: {}, address }
        await audit(tx, random, clock.now(), { ...entry, action: 'calendar-feed.deleted' })
        return { status: 'The address of your calendar is ended.' }
      }),
  })
}

/** The suggested refresh interval. Hourly is enough, because changes are mailed as well. */
const feedRefreshMs = 3_600_000

/**
 * Serve the calendar at a private address. Every invalid address gives the same 404. The tag contains the day, because a
 * feed that is full leaves out the dates that are over.
 */
function serveReadCalendar(dependencies: Dependencies & { limitReadings: LimitReadings }) {
  const { serve, clock, config, limitReadings } = dependencies
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
        const compose = () => composeOwnFeed(dependencies, database, owner, found, { asOf: new Date(day), budget })
        return replyWithCalendar({ dependsOn, compose }, request, answer)
      })
    },
  })
}

function composeOwnFeed(
  dependencies: Dependencies,
  database: Database,
  owner: FeedOwner,
  found: FeedSchedules,
  { asOf, budget }: { asOf: Date; budget: CalendarBudget },
): Promise<string> {
  const t = textsIn(owner.language || 'en', 'invitation-emails')
  async function* inputs() {
    for await (const { meeting, series, only, added } of readFeedMeetings(database, found)) {
      const input = publishedMeeting(dependencies, t, meeting, series, { seesHostAddress: !added, invitedAs: null })
      yield { ...input, asOf, ...(only !== undefined && { only }) }
    }
  }
  const count = found.meetings.length
  const aboutFeed = ({ meetings, dates, texts }: Omitted) => {
    const limits = [
      ...(found.isCut || meetings > 0 ? [t('feedIsCut', { limit: count - meetings })] : []),
      ...(dates + texts > 0 ? [t('feedIsShortened')] : []),
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

/** Serve one meeting as a calendar file to anyone who may read it. Cancelled parts are marked as cancelled. */
function serveReadInvite(dependencies: Dependencies & { limitReadings: LimitReadings }) {
  const { serve, config, limitReadings } = dependencies
  serve(readInvite, {
    handle: async ({ caller, params, request, database, answer }) => {
      const viewer = viewerOf(caller, config)
      const row = await findMeeting(database, requireMeetingId(params.meetingId), viewer)
      if (row === undefined) throw problem('meeting_not_found')
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
                name: guest.displayName,
                email: guest.email,
                ...(guest.response !== null && { response: guest.response }),
                occurrences: own ?? [],
              },
      }
      answer.header('content-disposition', 'attachment; filename="invite.ics"')
      const language = await findReaderLanguage(database, caller.accountId)
      const { people: _, sealedSecrets, ...meeting } = row
      const { baseUrl, mailFrom } = config
      const dependsOn = [meeting, sealedSecrets.toString('base64'), view, language, baseUrl, mailFrom]
      const compose = async () => {
        const series = seriesTakingPlace(row, await findExceptions(database, row.id))
        const shown = series ?? seriesOf(row, noExceptions)
        const status = series === undefined ? ('CANCELLED' as const) : ('CONFIRMED' as const)
        const input = publishedMeeting(dependencies, textsIn(language, 'invitation-emails'), row, shown, view)
        return composeCalendar({ ...input, method: null, status }, new CalendarBudget(fileLimits))
      }
      const readerOf = { calendar: caller.accountId, network: networkOf(request.address) }
      return limitReadings(readerOf, () => replyWithCalendar({ dependsOn, compose }, request, answer))
    },
  })
}

type Context = HandlerContext<typeof readCalendar>

/** Raise this number when the same meetings give another text than before. */
const textVersion = 1

/**
 * Send a calendar with its ETag, or 304 when the client already has it. The tag is made of what the text depends on, so
 * that nothing is composed for a client that has it. Only the client itself may cache it.
 */
export async function replyWithCalendar(
  { dependsOn, compose }: { dependsOn: unknown; compose: () => Promise<string> },
  { ifNoneMatch }: Pick<Context['request'], 'ifNoneMatch'>,
  answer: Context['answer'],
): Promise<string> {
  const tag = hash('sha256', JSON.stringify([textVersion, dependsOn]), 'base64url').slice(0, 22)
  answer.header('etag', `"${tag}"`)
  answer.header('cache-control', 'private, no-cache')
  if (!matchesEtag(ifNoneMatch, tag)) return compose()
  answer.status(304)
  return ''
}

/**
 * Limits on reading calendars; each calendar may be as large as `feedLimits`. Reads are counted in this process,
 * because the compositions share its thread.
 */
export const readingLimits = {
  /** One calendar: ten programs that read it every ten minutes. */
  ofCalendar: { points: 60, duration: 60 * 60 },
  /** One network: services such as Google Calendar read the calendars of many people from one address. */
  ofNetwork: { points: 1_200, duration: 10 * 60 },
}

/** Simultaneous readings of one calendar: two programs that both start with the computer. As many may wait. */
export const limitsOfCalendar = { inProgress: 2, waiting: 2 }
/** Simultaneous compositions, which bounds their memory and the time on the thread. The others wait for a turn. */
export const maxCompositions = 4
/** A turn takes a second or two at most; a reader behind this many others is refused, and comes back later. */
export const maxWaitingReaders = 64

/** Run the work of a reader within all limits. @throws too_many_requests, unavailable */
type LimitReadings = (reader: { calendar: string; network: string }, work: () => Promise<string>) => Promise<string>

export function createReadingLimits({ rateLimits }: Pick<Config, 'rateLimits'>): LimitReadings {
  if (!rateLimits) return (_, work) => work()
  const ofCalendar = createRateLimiter({ name: 'calendarReadings', ...readingLimits.ofCalendar }, undefined)
  const ofNetwork = createRateLimiter({ name: 'calendarReadingsOfNetwork', ...readingLimits.ofNetwork }, undefined)
  const turns = createFairLimit({ maxInProgress: maxCompositions, maxWaiting: maxWaitingReaders })
  return async ({ calendar, network }, work) => {
    const waitMs = (await ofNetwork.count(network)) ?? (await ofCalendar.count(calendar))
    if (waitMs !== undefined) throw tooManyRequests(waitMs)
    // Networks take turns, and so do calendars, whichever networks read them.
    return turns.run({ paths: [[calendar], [network]], limits: limitsOfCalendar }, work)
  }
}
