import { listAdministeredApps } from '@parley/contract'
import type { Handler } from '../../access/serve.ts'
import { notACursor, readCursor, writeCursor } from '../../platform/database/cursor.ts'
import type { AppsService } from '../apps-service.ts'
import { findStoppableScope } from '../review/reviewed-app-store.ts'
import { administeredApps, selectAdministeredApps, viewAdministeredApp } from './administered-app-store.ts'

const defaultLimit = 50

/** List the apps that an administrator can stop, oldest first: ids are in order of time. */
export function serveListAdministeredApps({ serve, clock }: AppsService) {
  const list: Handler<typeof listAdministeredApps> = async ({ caller, query, database }) => {
    const { limit = defaultLimit, after, q = '', suspended } = query
    const cursor = after === undefined ? undefined : readCursor(after)
    const filter = { appsScope: await findStoppableScope(database, caller), q, suspended, now: clock.now() }
    const { totalCount } = await administeredApps(database, filter)
      .select((app) => app.fn.countAll<number>().as('totalCount'))
      .executeTakeFirstOrThrow()
    const found = await selectAdministeredApps(database, filter)
      .$if(cursor !== undefined, (apps) => apps.where('p.id', '>', cursor?.id ?? ''))
      .orderBy('p.id')
      .limit(limit + 1)
      .execute()
    const page = found.slice(0, limit)
    const last = page.at(-1)
    const moreAvailable = found.length > limit
    return {
      totalCount,
      moreAvailable,
      nextCursor: moreAvailable && last !== undefined ? writeCursor({ at: last.createdAt, id: last.id }) : null,
      apps: page.map(viewAdministeredApp),
    }
  }

  serve(listAdministeredApps, {
    handle: list,
    check: ({ query: { after } }) => (after === undefined || readCursor(after) !== undefined ? [] : [notACursor]),
  })
}
