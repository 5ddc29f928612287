import { createSecret } from '@parley/contract'
import { isPublic } from '@parley/rules/oauth/client-type'
import { maxActiveSecrets } from '@parley/rules/oauth-apps/app-limits'
import { readPlainText } from '@parley/rules/text/plain-text'
import { combine, readRequired } from '@parley/rules/text/reading'
import { lockCredentialForShare } from '../../access/credentials/lock-credential.ts'
import { readExpiry } from '../../access/credentials/read-expiry.ts'
import { newToken } from '../../access/credentials/token-secret.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { recordAppChange } from '../app-audit.ts'
import { lockOwnApp } from '../app-store.ts'
import type { AppsService } from '../apps-service.ts'
import { requireOauth } from '../oauth-access.ts'
import { insertSecret, listActiveSecrets } from './secret-store.ts'
import { viewSecret } from './secret-view.ts'

const nameLimits = { minLength: 1, maxLength: 100 }

/** Create a client secret. Only this reply contains its value; the database stores its hash. */
export function serveCreateSecret({ serve, clock, random }: AppsService) {
  serve(createSecret, {
    read: ({ body }) =>
      combine({
        name: readRequired(body.name, (text) => readPlainText('/name', text, nameLimits)),
        expiresAt: readExpiry(body.expiresOn, clock.now()),
      }),
    handle: async ({ caller, params: { appId }, body, input: { name, expiresAt }, request, answer, database }) => {
      await requireOauth(database, caller)
      return inTransaction(database, async (tx) => {
        const now = clock.now()
        if (!(await lockCredentialForShare(tx, caller))) throw problem('unauthorized')
        const registered = await lockOwnApp(tx, appId, caller.accountId)
        if (registered === undefined) throw problem('app_not_found')
        const { app } = registered
        if (isPublic(app.clientType)) throw problem('public_client')
        const { sandbox = false } = body
        if (!sandbox && app.clientId === null) throw problem('app_not_approved')
        const active = await listActiveSecrets(tx, app.id, now)
        if (active.filter((secret) => secret.sandbox === sandbox).length >= maxActiveSecrets)
          throw problem('too_many_secrets')

        const { token, hash } = newToken('appSecret', random)
        const secret = { id: random.uuid(now), name, sandbox, createdAt: now, expiresAt, lastUsedAt: null }
        await insertSecret(tx, { ...secret, appId: app.id, secretHash: hash, retiredAt: null })
        const detail = { secretId: secret.id, name, sandbox }
        const event = { kind: 'secret_created', cause: `The secret ${JSON.stringify(name)} was made.`, sandbox }
        await recordAppChange(tx, { app, caller, request, now, random, action: 'app-secret.created', detail, event })
        answer.header('cache-control', 'no-store')
        return { ...viewSecret(secret), secret: token }
      })
    },
  })
}
