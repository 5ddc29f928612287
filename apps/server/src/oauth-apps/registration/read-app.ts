import { readApp } from '@parley/contract'
import { problem } from '../../platform/http/problem.ts'
import { findOwnApp } from '../app-store.ts'
import { newestRevision, showApp } from '../app-view.ts'
import type { AppsService } from '../apps-service.ts'
import { requireOauth } from '../oauth-access.ts'

export function serveReadApp({ serve }: AppsService) {
  serve(readApp, {
    handle: async ({ caller, params: { appId }, query, database }) => {
      await requireOauth(database, caller)
      const registered = await findOwnApp(database, appId, caller.accountId)
      if (registered === undefined) throw problem('app_not_found')
      const revision = query.revision === undefined ? newestRevision(registered) : registered[query.revision]
      if (revision === undefined)
        throw problem('app_not_found', { detail: `This app has no ${query.revision} revision.` })
      return showApp(database, registered, revision)
    },
  })
}
