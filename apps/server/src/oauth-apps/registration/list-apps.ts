import { listApps } from '@parley/contract'
import { listOwnApps } from '../app-store.ts'
import { newestRevision, viewApp } from '../app-view.ts'
import type { AppsService } from '../apps-service.ts'
import { requireOauth } from '../oauth-access.ts'
import { findReasons } from '../review-store.ts'

/** List all of the caller's apps: `maxApps` bounds the reply. */
export function serveListApps({ serve }: AppsService) {
  serve(listApps, {
    handle: async ({ caller, database }) => {
      await requireOauth(database, caller)
      const registered = await listOwnApps(database, caller.accountId)
      const ids = registered.map(({ app }) => app.id)
      const reasons = await findReasons(database, ids)
      return {
        apps: registered.map((own) =>
          viewApp(own, { revision: newestRevision(own), reasons: reasons.get(own.app.id) ?? [] }),
        ),
      }
    },
  })
}
