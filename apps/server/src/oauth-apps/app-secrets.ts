import { createPlaygroundSecret, createSecret, listSecrets, retireSecret } from '@parley/contract'
import { isPublic } from '@parley/rules/oauth/client-type'
import { maxActiveSecrets } from '@parley/rules/oauth-apps/app-limits'
import { combine, readRequired } from '@parley/rules/text/parsed'
import { readPlainText } from '@parley/rules/text/plain-text'
import { Type } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { lockCredentialForShare } from '../access/credentials/lock-credential.ts'
import { readExpiry } from '../access/credentials/read-expiry.ts'
import { newToken } from '../access/credentials/token-secret.ts'
import { recordAppLogEvent } from '../event-log/record-event.ts'
import { type Database, inTransaction, type Tx } from '../platform/database/database.ts'
import { isUuid } from '../platform/database/uuid.ts'
import { problem } from '../platform/http/problem.ts'
import { defineJob } from '../platform/jobs/define-job.ts'
import { type AppChange, recordAppChange } from './app-audit.ts'
import {
  insertSecret,
  listActiveSecrets,
  markExpiringSecrets,
  retirePlaygroundSecret,
  retireSecretRow,
  type SecretRow,
} from './app-secret-store.ts'
import { type AppRow, requireOwnApp, requireOwnAppForUpdate } from './app-store.ts'
import type { Dependencies } from './dependencies.ts'
import { requireOauth } from './oauth-access.ts'

/** Register the endpoints of client secrets. */
export function registerAppSecrets(dependencies: Dependencies): void {
  serveCreateSecret(dependencies)
  serveCreatePlaygroundSecret(dependencies)
  serveListSecrets(dependencies)
  serveRetireSecret(dependencies)
}

const secretNameLimits = { minLength: 1, maxLength: 100 }

/** Create a client secret. Only this reply contains its value; the database stores its hash. */
function serveCreateSecret({ serve, clock, random }: Dependencies) {
  serve(createSecret, {
    read: ({ body }) =>
      combine({
        name: readRequired(body.name, (text) => readPlainText('/name', text, secretNameLimits)),
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
 * Lock an own app of the caller that may have secrets.
 * @throws unauthorized, app_not_found, public_client
 */
async function lockConfidentialApp(tx: Tx, caller: Caller, appId: string): Promise<AppRow> {
  if (!(await lockCredentialForShare(tx, caller))) throw problem('unauthorized')
  const { app } = await requireOwnAppForUpdate(tx, appId, caller.accountId)
  if (isPublic(app.clientType)) throw problem('public_client')
  return app
}

type NewSecret = { name: string; sandbox: boolean; forPlayground: boolean; expiresAt: Date | null }

/** Add a secret to an app, whose row is locked. @returns the reply, the only place with the secret's value */
async function addSecret(tx: Tx, change: Omit<AppChange, 'action' | 'detail' | 'event'>, secret: NewSecret) {
  const { app, now, random } = change
  const { name, sandbox } = secret
  const { token, hash } = newToken('appSecret', random)
  const made = { ...secret, id: random.uuid(now), createdAt: now, lastUsedAt: null }
  await insertSecret(tx, { ...made, appId: app.id, secretHash: hash, retiredAt: null })
  const detail = { secretId: made.id, name, sandbox }
  const event = { kind: 'secret_created', cause: `The secret ${JSON.stringify(name)} was made.`, sandbox }
  await recordAppChange(tx, { ...change, action: 'app-secret.created', detail, event })
  return { ...toSecret(made), secret: token }
}

/** A day. Only the memory of the page has the secret, which expires soon after the page is closed. */
const playgroundLifetimeMs = 24 * 60 * 60 * 1_000

/** Shown in the list of secrets, the event log and the audit log. */
const playgroundSecretName = 'Playground'

/**
 * Create the sandbox secret of the developer portal's Playground, and retire the previous one: a reloaded page has lost
 * its secret, and the lost secrets must not use up the limit of the app.
 */
function serveCreatePlaygroundSecret({ serve, clock, random }: Dependencies) {
  serve(createPlaygroundSecret, {
    handle: async ({ caller, params: { appId }, request, answer, database }) => {
      await requireOauth(database, caller)
      return inTransaction(database, async (tx) => {
        const now = clock.now()
        const app = await lockConfidentialApp(tx, caller, appId)
        await retirePlaygroundSecret(tx, app.id, now)
        const expiresAt = new Date(now.getTime() + playgroundLifetimeMs)
        const secret = { name: playgroundSecretName, sandbox: true, forPlayground: true, expiresAt }
        answer.header('cache-control', 'no-store')
        return addSecret(tx, { app, caller, request, now, random }, secret)
      })
    },
  })
}

function serveListSecrets({ serve, clock }: Dependencies) {
  serve(listSecrets, {
    handle: async ({ caller, params: { appId }, database }) => {
      await requireOauth(database, caller)
      const { app } = await requireOwnApp(database, appId, caller.accountId)
      const secrets = await listActiveSecrets(database, app.id, clock.now())
      return { secrets: secrets.map(toSecret) }
    },
  })
}

/**
 * Retire a client secret. Client authentication with it fails from commit on; tokens stay valid, so that a backend can
 * switch to its second secret.
 */
function serveRetireSecret({ serve, clock, random }: Dependencies) {
  serve(retireSecret, {
    handle: async ({ caller, params: { appId, secretId }, request, database }) => {
      await requireOauth(database, caller)
      return inTransaction(database, async (tx) => {
        const now = clock.now()
        const { app } = await requireOwnAppForUpdate(tx, appId, caller.accountId)
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

const toSecret = (secret: SecretRow) => ({
  _id: secret.id,
  name: secret.name,
  sandbox: secret.sandbox,
  forPlayground: secret.forPlayground,
  createdOn: secret.createdAt.toISOString(),
  expiresOn: secret.expiresAt?.toISOString() ?? null,
  lastUsedOn: secret.lastUsedAt?.toISOString() ?? null,
})

/** Long enough to replace a secret in every copy of a program (docs/events.md). */
const noticeMs = 14 * 24 * 60 * 60 * 1_000

export const reportExpiringSecretsJob = defineJob('report-expiring-secrets', Type.Unknown())

/**
 * Record an event for each client secret that expires within two weeks, once for each. The secret of the Playground is
 * left out: no program has it.
 */
export const reportExpiringSecrets = (database: Database, now: Date): Promise<void> =>
  inTransaction(database, async (tx) => {
    const until = new Date(now.getTime() + noticeMs)
    for (const { ownerId, expiresAt, ...secret } of await markExpiringSecrets(tx, now, until)) {
      // Never null: the statement selects secrets that expire.
      if (expiresAt === null) continue
      const data = { ...secret, expiresOn: expiresAt.toISOString() }
      await recordAppLogEvent(tx, { type: 'secret.expiring', ownerId, data, now })
    }
  })
