import { listApps } from '@parley/contract'
import { listOwnApps } from '../app-store.ts'
import { newestRevision, viewApp } from '../app-view.ts'
import type { AppsService } from '../apps-service.ts'
import { requireOauth } from '../oauth-access.ts'
import { findReasons } from '../review-store.ts'

/** All of them: `maxApps` bounds the answer. */
export function serveListApps({ serve }: AppsService) {
  serve(listApps, async ({ caller, database }) => {
    await requireOauth(database, caller)
    const registered = await listOwnApps(database, caller.accountId)
    const ids = registered.map(({ app }) => app.id)
    const reasons = await findReasons(database, ids)
    return {
      apps: registered.map((one) =>
        viewApp(one, { revision: newestRevision(one), reasons: reasons.get(one.app.id) ?? [] }),
      ),
    }
  })
}
