import { createSecret } from '@parley/contract'
import { isPublic } from '@parley/rules/oauth/client-type'
import { maxActiveSecrets } from '@parley/rules/oauth-apps/app-limits'
import { readPlainText } from '@parley/rules/text/plain-text'
import { combine, readRequired } from '@parley/rules/text/reading'
import type { Caller } from '../../access/caller.ts'
import { lockCredentialForShare } from '../../access/credentials/lock-credential.ts'
import { readExpiry } from '../../access/credentials/read-expiry.ts'
import { newToken } from '../../access/credentials/token-secret.ts'
import { inTransaction, type Tx } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { type AppChange, recordAppChange } from '../app-audit.ts'
import { type AppRow, lockOwnApp } from '../app-store.ts'
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
        const app = await lockConfidentialApp(tx, caller, appId)
        const { sandbox = false } = body
        if (!sandbox && app.clientId === null) throw problem('app_not_approved')
        const active = await listActiveSecrets(tx, app.id, now)
        const own = active.filter((secret) => secret.sandbox === sandbox && !secret.forPlayground)
        if (own.length >= maxActiveSecrets) throw problem('too_many_secrets')
        answer.header('cache-control', 'no-store')
        const change = { app, caller, request, now, random }
        return addSecret(tx, change, { name, sandbox, forPlayground: false, expiresAt })
      })
    },
  })
}

/**
 * Lock an app of the caller's own that may have secrets.
 * @throws unauthorized, app_not_found, public_client
 */
export async function lockConfidentialApp(tx: Tx, caller: Caller, appId: string): Promise<AppRow> {
  if (!(await lockCredentialForShare(tx, caller))) throw problem('unauthorized')
  const registered = await lockOwnApp(tx, appId, caller.accountId)
  if (registered === undefined) throw problem('app_not_found')
  if (isPublic(registered.app.clientType)) throw problem('public_client')
  return registered.app
}

type NewSecret = { name: string; sandbox: boolean; forPlayground: boolean; expiresAt: Date | null }

/** Add a secret to an app, whose row the transaction has locked. @returns the reply, which alone has the value */
export async function addSecret(tx: Tx, change: Omit<AppChange, 'action' | 'detail' | 'event'>, secret: NewSecret) {
  const { app, now, random } = change
  const { name, sandbox } = secret
  const { token, hash } = newToken('appSecret', random)
  const made = { ...secret, id: random.uuid(now), createdAt: now, lastUsedAt: null }
  await insertSecret(tx, { ...made, appId: app.id, secretHash: hash, retiredAt: null })
  const detail = { secretId: made.id, name, sandbox }
  const event = { kind: 'secret_created', cause: `The secret ${JSON.stringify(name)} was made.`, sandbox }
  await recordAppChange(tx, { ...change, action: 'app-secret.created', detail, event })
  return { ...viewSecret(made), secret: token }
}
