import { type EventType, isEventType, listEvents } from '@parley/contract'
import { collect, combine, type Reading, readOptional, refuse } from '@parley/rules/text/reading'
import type { Service } from '../access/service.ts'
import { readPosition, writePosition } from '../platform/database/cursor.ts'
import { isUuid } from '../platform/database/uuid.ts'
import { problem } from '../platform/http/problem.ts'
import { readableTypes } from './event-rights.ts'
import { findEvents } from './event-store.ts'
import { viewEvent } from './view-event.ts'

const defaultLimit = 50

/**
 * List the caller's events after a cursor. What is committed while the list is read comes after the cursor that it
 * returns, so that a program that goes on from there misses nothing.
 */
export function serveListEvents({ serve, config: { baseUrl } }: Pick<Service, 'serve' | 'config'>) {
  serve(listEvents, {
    read: ({ query }) =>
      combine({
        after: readPosition(query.after),
        requested: readOptional(query.type, readTypes),
        meetingId: readOptional(query.meetingId, readMeetingId),
      }),
    handle: async ({ caller, query, input: { after, requested, meetingId }, database }) => {
      const { limit = defaultLimit } = query
      const { credential, accountId } = caller
      const types = readableTypes(caller, requested, baseUrl)
      const app = credential.kind === 'oauth' ? credential : undefined
      const found = await findEvents(database, {
        accountId,
        after: after ?? 0,
        types,
        meetingId,
        app,
        limit: limit + 1,
      })
      // A cursor from after the last event is one of a database before it was restored.
      const isExpired = after !== undefined && (after < found.deletedPosition || after > found.lastPosition)
      if (isExpired) throw problem('cursor_expired')
      const events = found.events.slice(0, limit)
      const moreAvailable = found.events.length > limit
      return {
        events: events.map((event) => viewEvent(event, baseUrl)),
        moreAvailable,
        nextCursor: writePosition(moreAvailable ? (events.at(-1)?.position ?? 0) : found.lastPosition),
      }
    },
  })
}

const readTypes = (text: string) =>
  collect(
    text.split(',').map((name): Reading<EventType> => {
      const type = name.trim()
      if (isEventType(type)) return { value: type }
      return refuse({ path: '/type', code: 'unknown_type', message: `${type} is no type of event.` })
    }),
  )

function readMeetingId(text: string): Reading<string> {
  if (isUuid(text)) return { value: text }
  return refuse({ path: '/meetingId', code: 'bad_format', message: 'meetingId must be the _id of a meeting.' })
}
