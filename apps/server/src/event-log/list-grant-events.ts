import { listGrantEvents } from '@parley/contract'
import type { WithDatabase } from '../access/service.ts'
import { readPosition, writePosition } from '../platform/database/cursor.ts'
import { isUuid } from '../platform/database/uuid.ts'
import { problem } from '../platform/http/problem.ts'
import { findEventsOfGrant } from './event-store.ts'
import { viewEvent } from './view-event.ts'

const defaultLimit = 20

/** List what an app changed for the caller, newest first. */
export function serveListGrantEvents({ serve, config: { baseUrl } }: Pick<WithDatabase, 'serve' | 'config'>) {
  serve(listGrantEvents, {
    read: ({ query }) => readPosition(query.after),
    handle: async ({ caller, params: { grantId }, query, input: before, database }) => {
      const { limit = defaultLimit } = query
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
