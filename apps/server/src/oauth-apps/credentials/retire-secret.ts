import { retireSecret } from '@parley/contract'
import { inTransaction } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { problem } from '../../platform/http/problem.ts'
import { recordAppChange } from '../app-audit.ts'
import { lockOwnApp } from '../app-store.ts'
import type { AppsService } from '../apps-service.ts'
import { requireOauth } from '../oauth-access.ts'
import { retireSecretRow } from './secret-store.ts'

/**
 * Retire a client secret. Client authentication with it fails from commit on; tokens stay valid, so that a backend can
 * switch to its second secret.
 */
export function serveRetireSecret({ serve, clock, random }: AppsService) {
  serve(retireSecret, {
    handle: async ({ caller, params: { appId, secretId }, request, database }) => {
      await requireOauth(database, caller)
      return inTransaction(database, async (tx) => {
        const now = clock.now()
        const registered = await lockOwnApp(tx, appId, caller.accountId)
        if (registered === undefined) throw problem('app_not_found')
        const { app } = registered
        const secret = isUuid(secretId) ? await retireSecretRow(tx, app.id, secretId, now) : undefined
        if (secret === undefined) throw problem('secret_not_found')
        const { name, sandbox } = secret
        const event = { kind: 'secret_retired', cause: `The secret ${JSON.stringify(name)} was retired.`, sandbox }
        const detail = { secretId, name, sandbox }
        await recordAppChange(tx, { app, caller, request, now, random, action: 'app-secret.retired', detail, event })
        return { status: 'The secret is retired.' }
      })
    },
  })
}
