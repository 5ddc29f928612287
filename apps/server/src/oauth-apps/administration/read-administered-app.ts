import { readAdministeredApp } from '@parley/contract'
import { isUuid } from '../../platform/database/uuid.ts'
import { problem } from '../../platform/http/problem.ts'
import { showApp } from '../app-view.ts'
import type { AppsService } from '../apps-service.ts'
import { findReviewedApp, findStoppableScope } from '../review/reviewed-app-store.ts'
import { findHistory, viewHistory } from '../review-store.ts'
import { selectAdministeredApps, viewAdministeredApp } from './administered-app-store.ts'

export function serveReadAdministeredApp({ serve, clock }: AppsService) {
  serve(readAdministeredApp, {
    handle: async ({ caller, params: { appId }, database }) => {
      if (!isUuid(appId)) throw problem('app_not_found')
      const appsScope = await findStoppableScope(database, caller)
      const filter = { appsScope, q: '', suspended: undefined, now: clock.now() }
      const row = await selectAdministeredApps(database, filter).where('p.id', '=', appId).executeTakeFirst()
      const found = await findReviewedApp(database, appId, appsScope)
      if (row === undefined || found === undefined) throw problem('app_not_found')
      const { live, draft } = found
      return {
        ...viewAdministeredApp(row),
        ...(live && { live: await showApp(database, found, live) }),
        ...(draft && { draft: await showApp(database, found, draft) }),
        history: viewHistory(await findHistory(database, appId)),
      }
    },
  })
}
