import { listAppEvents } from '@parley/contract'
import { readAfter, writeCursor } from '../../platform/database/cursor.ts'
import { problem } from '../../platform/http/problem.ts'
import { findOwnApp } from '../app-store.ts'
import type { AppsService } from '../apps-service.ts'
import { requireOauth } from '../oauth-access.ts'

const defaultLimit = 50

/** List an app's events, newest first: ids are in order of time. */
export function serveListAppEvents({ serve }: AppsService) {
  serve(listAppEvents, {
    read: ({ query }) => readAfter(query.after),
    handle: async ({ caller, params: { appId }, query: { limit = defaultLimit }, input: after, database }) => {
      await requireOauth(database, caller)
      const registered = await findOwnApp(database, appId, caller.accountId)
      if (registered === undefined) throw problem('app_not_found')
      const found = await database
        .selectFrom('appEvent')
        .select(['id', 'createdAt', 'kind', 'cause', 'sandbox', 'requestId'])
        .where('appId', '=', registered.app.id)
        .$if(after !== undefined, (events) => events.where('id', '<', after?.id ?? ''))
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute()
      const page = found.slice(0, limit)
      const last = page.at(-1)
      const moreAvailable = found.length > limit
      return {
        moreAvailable,
        nextCursor: moreAvailable && last !== undefined ? writeCursor({ at: last.createdAt, id: last.id }) : null,
        events: page.map(({ id, createdAt, ...event }) => ({ _id: id, createdOn: createdAt.toISOString(), ...event })),
      }
    },
  })
}
