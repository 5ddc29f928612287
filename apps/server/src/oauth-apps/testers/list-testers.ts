import { listTesters } from '@parley/contract'
import { problem } from '../../platform/http/problem.ts'
import { findOwnApp } from '../app-store.ts'
import type { AppsService } from '../apps-service.ts'
import { requireOauth } from '../oauth-access.ts'
import { listTesterRows, viewTester } from './tester-store.ts'

export function serveListTesters({ serve }: AppsService) {
  serve(listTesters, {
    handle: async ({ caller, params: { appId }, database }) => {
      await requireOauth(database, caller)
      const registered = await findOwnApp(database, appId, caller.accountId)
      if (registered === undefined) throw problem('app_not_found')
      const testers = await listTesterRows(database, registered.app.id)
      return { testers: testers.map(viewTester) }
    },
  })
}
