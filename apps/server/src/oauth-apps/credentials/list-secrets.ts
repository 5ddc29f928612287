import { listSecrets } from '@parley/contract'
import { problem } from '../../platform/http/problem.ts'
import { findOwnApp } from '../app-store.ts'
import type { AppsService } from '../apps-service.ts'
import { requireOauth } from '../oauth-access.ts'
import { listActiveSecrets } from './secret-store.ts'
import { viewSecret } from './secret-view.ts'

export function serveListSecrets({ serve, clock }: AppsService) {
  serve(listSecrets, {
    handle: async ({ caller, params: { appId }, database }) => {
      await requireOauth(database, caller)
      const registered = await findOwnApp(database, appId, caller.accountId)
      if (registered === undefined) throw problem('app_not_found')
      const secrets = await listActiveSecrets(database, registered.app.id, clock.now())
      return { secrets: secrets.map(viewSecret) }
    },
  })
}
