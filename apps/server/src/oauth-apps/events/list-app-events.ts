import { listAppEvents } from '@parley/contract'
import type { Handler } from '../../access/serve.ts'
import { notACursor, readCursor, writeCursor } from '../../platform/database/cursor.ts'
import { problem } from '../../platform/http/problem.ts'
import { findOwnApp } from '../app-store.ts'
import type { AppsService } from '../apps-service.ts'
import { requireOauth } from '../oauth-access.ts'

const defaultLimit = 50

/** List an app's events, newest first: ids are in order of time. */
export function serveListAppEvents({ serve }: AppsService) {
  const list: Handler<typeof listAppEvents> = async ({ caller, params: { appId }, query, database }) => {
    await requireOauth(database, caller)
    const registered = await findOwnApp(database, appId, caller.accountId)
    if (registered === undefined) throw problem('app_not_found')
    const { limit = defaultLimit, after } = query
    const cursor = after === undefined ? undefined : readCursor(after)
    const found = await database
      .selectFrom('appEvent')
      .select(['id', 'createdAt', 'kind', 'cause', 'sandbox', 'requestId'])
      .where('appId', '=', registered.app.id)
      .$if(cursor !== undefined, (events) => events.where('id', '<', cursor?.id ?? ''))
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
  }

  serve(listAppEvents, {
    handle: list,
    check: ({ query: { after } }) => (after === undefined || readCursor(after) !== undefined ? [] : [notACursor]),
  })
}
