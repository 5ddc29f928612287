import { createPlaygroundSecret } from '@parley/contract'
import { isPublic } from '@parley/rules/oauth/client-type'
import { lockCredentialForShare } from '../../access/credentials/lock-credential.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { lockOwnApp } from '../app-store.ts'
import type { AppsService } from '../apps-service.ts'
import { requireOauth } from '../oauth-access.ts'
import { addSecret } from './create-secret.ts'
import { retirePlaygroundSecret } from './secret-store.ts'

/** A day: the page keeps the secret in its memory alone, so that an abandoned one is of no use soon. */
const lifetimeMs = 24 * 60 * 60 * 1_000

/** How the developer reads of it in the list of secrets, the event log and the audit log. */
const secretName = 'Playground'

/**
 * Create the sandbox secret of the developer portal's Playground in place of the one before. A page that was reloaded has
 * lost its secret, and would otherwise use up those that the developer may have.
 */
export function serveCreatePlaygroundSecret({ serve, clock, random }: AppsService) {
  serve(createPlaygroundSecret, {
    handle: async ({ caller, params: { appId }, request, answer, database }) => {
      await requireOauth(database, caller)
      return inTransaction(database, async (tx) => {
        const now = clock.now()
        if (!(await lockCredentialForShare(tx, caller))) throw problem('unauthorized')
        const registered = await lockOwnApp(tx, appId, caller.accountId)
        if (registered === undefined) throw problem('app_not_found')
        const { app } = registered
        if (isPublic(app.clientType)) throw problem('public_client')
        await retirePlaygroundSecret(tx, app.id, now)
        const expiresAt = new Date(now.getTime() + lifetimeMs)
        const secret = { name: secretName, sandbox: true, forPlayground: true, expiresAt }
        answer.header('cache-control', 'no-store')
        return addSecret(tx, { app, caller, request, now, random }, secret)
      })
    },
  })
}
