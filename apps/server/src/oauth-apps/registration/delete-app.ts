import { deleteApp } from '@parley/contract'
import { inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { recordAppChange } from '../app-audit.ts'
import { endGrantsOfApp } from '../app-grants.ts'
import { lockOwnApp, updateApp } from '../app-store.ts'
import { newestRevision } from '../app-view.ts'
import type { AppsService } from '../apps-service.ts'
import { retireAllSecrets } from '../credentials/secret-store.ts'
import { requireOauth } from '../oauth-access.ts'

/** Delete an app: revoke its grants and secrets, and mark its row, which other rows refer to. */
export function serveDeleteApp({ serve, clock, random }: AppsService) {
  serve(deleteApp, {
    handle: async ({ caller, params: { appId }, request, database }) => {
      await requireOauth(database, caller)
      return inTransaction(database, async (tx) => {
        const now = clock.now()
        const registered = await lockOwnApp(tx, appId, caller.accountId)
        if (registered === undefined) throw problem('app_not_found')
        const { app } = registered
        await updateApp(tx, app.id, { deletedAt: now, modifiedAt: now })
        await retireAllSecrets(tx, app.id, now)
        await endGrantsOfApp(tx, app, now)
        const detail = { name: newestRevision(registered).name }
        await recordAppChange(tx, { app, caller, request, now, random, action: 'app.deleted', detail })
        return { status: 'The app is deleted; every token of it has ended.' }
      })
    },
  })
}
