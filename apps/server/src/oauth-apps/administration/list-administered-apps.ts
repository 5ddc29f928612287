import { listAdministeredApps } from '@parley/contract'
import { readAfter, writeCursor } from '../../platform/database/cursor.ts'
import type { AppsService } from '../apps-service.ts'
import { findStoppableScope } from '../review/reviewed-app-store.ts'
import { administeredApps, selectAdministeredApps, viewAdministeredApp } from './administered-app-store.ts'

const defaultLimit = 50

/** List the apps that an administrator can stop, oldest first: ids are in order of time. */
export function serveListAdministeredApps({ serve, clock }: AppsService) {
  serve(listAdministeredApps, {
    read: ({ query }) => readAfter(query.after),
    handle: async ({ caller, query, input: after, database }) => {
      const { limit = defaultLimit, q = '', suspended } = query
      const filter = { appsScope: await findStoppableScope(database, caller), q, suspended, now: clock.now() }
      const { totalCount } = await administeredApps(database, filter)
        .select((app) => app.fn.countAll<number>().as('totalCount'))
        .executeTakeFirstOrThrow()
      const found = await selectAdministeredApps(database, filter)
        .$if(after !== undefined, (apps) => apps.where('p.id', '>', after?.id ?? ''))
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
    },
  })
}
