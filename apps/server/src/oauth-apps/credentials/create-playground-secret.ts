import { createPlaygroundSecret } from '@parley/contract'
import { inTransaction } from '../../platform/database/database.ts'
import type { AppsService } from '../apps-service.ts'
import { requireOauth } from '../oauth-access.ts'
import { addSecret, lockConfidentialApp } from './create-secret.ts'
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
        const app = await lockConfidentialApp(tx, caller, appId)
        await retirePlaygroundSecret(tx, app.id, now)
        const expiresAt = new Date(now.getTime() + lifetimeMs)
        const secret = { name: secretName, sandbox: true, forPlayground: true, expiresAt }
        answer.header('cache-control', 'no-store')
        return addSecret(tx, { app, caller, request, now, random }, secret)
      })
    },
  })
}
