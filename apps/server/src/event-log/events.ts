import { type EventType, isEventType, listEvents, listGrantEvents } from '@parley/contract'
import { collect, combine, type Parsed, readOptional, refuseAt } from '@parley/rules/text/parsed'
import type { Access } from '../access/access.ts'
import type { Caller } from '../access/caller.ts'
import { readPosition, writePosition } from '../platform/database/cursor.ts'
import type { Database } from '../platform/database/database.ts'
import { isUuid } from '../platform/database/uuid.ts'
import { problem } from '../platform/http/problem.ts'
import type { Platform } from '../platform/platform.ts'
import { readableTypes } from './event-rights.ts'
import { createFindNews, findEvents, findEventsOfGrant } from './event-store.ts'
import { eventTopic } from './publish-events.ts'
import { viewEvent } from './view-event.ts'

type Dependencies = Pick<Platform, 'config' | 'database'> & Pick<Access, 'serve'>

/** Register the endpoints of the event log. */
export function registerEvents(dependencies: Dependencies): void {
  serveListEvents(dependencies)
  serveListGrantEvents(dependencies)
}

const defaultLimit = 50

/** The most events that a stream reads at once. For a slow client a stream keeps at most these, and some 64 KiB. */
const maxOfStream = 100

/** A position after every event, from which a stream without a cursor begins. */
const fromNowOn = Number.MAX_SAFE_INTEGER

type Selection = {
  types: readonly EventType[]
  meetingId: string | undefined
  after: number | undefined
  limit: number
}

/**
 * List the caller's events after a cursor, or follow them. Events committed during the read come after the returned
 * cursor, so that a program that continues from there misses nothing.
 */
function serveListEvents({ serve, config: { baseUrl }, database: pool }: Dependencies) {
  const findNews = createFindNews(pool)

  async function readPage(database: Database, caller: Caller, { types, meetingId, after, limit }: Selection) {
    const { credential, accountId } = caller
    const app = credential.kind === 'oauth' ? credential : undefined
    const query = { accountId, after: after ?? 0, types, meetingId, app, limit: limit + 1 }
    const found = await findEvents(database, query)
    requireUnexpired(after, found)
    const events = found.events.slice(0, limit)
    const moreAvailable = found.events.length > limit
    const position = moreAvailable ? (events.at(-1)?.position ?? 0) : found.lastPosition
    return { events, moreAvailable, position }
  }

  serve(listEvents, {
    read: ({ query }) =>
      combine({
        after: readPosition(query.after),
        requested: readOptional(query.type, readTypes),
        meetingId: readOptional(query.meetingId, readMeetingId),
      }),
    handle: async ({ caller, query, input: { requested, ...selected }, database }) => {
      const types = readableTypes(caller, requested, baseUrl)
      const { limit = defaultLimit } = query
      const { events, moreAvailable, position } = await readPage(database, caller, { ...selected, types, limit })
      return {
        events: events.map((event) => viewEvent(event, baseUrl)),
        moreAvailable,
        nextCursor: writePosition(position),
      }
    },
    follow: async ({ caller, input: { requested, meetingId, ...first }, position: read, database }) => {
      const types = readableTypes(caller, requested, baseUrl)
      const topics = [eventTopic(caller.accountId)]
      const after = read ?? first.after
      const news = await findNews({ accountId: caller.accountId, after: after ?? fromNowOn })
      requireUnexpired(after, news)
      if (!news.hasEvents) return { topics, entries: [], moreAvailable: false, position: news.lastPosition }
      const { events, ...page } = await readPage(database, caller, { types, meetingId, after, limit: maxOfStream })
      const entries = events.map((event) => ({
        position: event.position,
        type: event.type,
        data: viewEvent(event, baseUrl),
      }))
      return { topics, entries, ...page }
    },
  })
}

/** A cursor from after the last event comes from the database before it was restored. @throws cursor_expired */
function requireUnexpired(after: number | undefined, log: { lastPosition: number; deletedPosition: number }) {
  const isExpired = after !== undefined && (after < log.deletedPosition || after > log.lastPosition)
  if (isExpired) throw problem('cursor_expired')
}

const readTypes = (text: string) =>
  collect(
    text.split(',').map((name): Parsed<EventType> => {
      const type = name.trim()
      if (isEventType(type)) return { value: type }
      return refuseAt(
        '/type',
        'unknown_type',
        type === '' ? 'holds an empty name' : `names ${type}, which is no type of event`,
      )
    }),
  )

function readMeetingId(text: string): Parsed<string> {
  if (isUuid(text)) return { value: text }
  return refuseAt('/meetingId', 'bad_format', 'must be the _id of a meeting')
}

const defaultLimitOfGrant = 20

/** List what an app changed for the caller, newest first. */
function serveListGrantEvents({ serve, config: { baseUrl } }: Dependencies) {
  serve(listGrantEvents, {
    read: ({ query }) => readPosition(query.after),
    handle: async ({ caller, params: { grantId }, query, input: before, database }) => {
      const { limit = defaultLimitOfGrant } = query
      const search = { accountId: caller.accountId, grantId, before: before ?? null, limit: limit + 1 }
      const found = isUuid(grantId) ? await findEventsOfGrant(database, search) : undefined
      if (found === undefined) throw problem('grant_not_found')
      const events = found.slice(0, limit)
      const last = found.length > limit ? events.at(-1) : undefined
      return {
        events: events.map((event) => viewEvent(event, baseUrl)),
        moreAvailable: last !== undefined,
        nextCursor: last === undefined ? null : writePosition(last.position),
      }
    },
  })
}
