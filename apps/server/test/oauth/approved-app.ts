import { hash } from 'node:crypto'
import type { AppStatus, Scope } from '@parley/contract'
import { type ClientType, isPublic } from '@parley/rules/oauth/client-type'
import { nameKeys } from '@parley/rules/oauth-apps/look-alike-names'
import { newToken } from '../../src/access/credentials/token-secret.ts'
import { sandboxClientPrefix } from '../../src/oauth-apps/client-store.ts'
import { readOwnerIdentity } from '../../src/oauth-apps/owner-identity.ts'
import { secureRandom } from '../../src/platform/random.ts'
import type { TestApp } from '../start-app.ts'

/** A third-party app with the values that its developer entered. */
export type ApprovedApp = {
  appId: string
  clientId: string
  /** Empty for a public client. */
  clientSecret: string
  sandboxClientId: string
  sandboxClientSecret: string
}

export type AppOptions = {
  name?: string
  callbackUrls?: string[]
  embedOrigins?: string[]
  scopes?: Scope[]
  requirePkce?: boolean
  sendIss?: boolean
  status?: AppStatus
  clientType?: ClientType
  logo?: { mediaType: string; bytes: Buffer }
}

export const callbackUrl = 'https://planner.example/callback'

/**
 * Insert an approved app directly into the tables, because tests of the authorization server do not depend on the
 * review. The app's owner is granted OAuth access.
 */
export async function approvedApp(
  { database, config }: Pick<TestApp, 'database'> & { config: Pick<TestApp['config'], 'tenants'> },
  owner: { profile: { _id: string } },
  options: AppOptions = {},
): Promise<ApprovedApp> {
  const now = new Date()
  const { name = 'Planner', status = 'approved', clientType = 'confidential' } = options
  const appId = secureRandom.uuid(now)
  const clientId = `client_${hash('sha256', appId).slice(0, 20)}`
  const sandboxClientId = `${sandboxClientPrefix}${hash('sha256', `sandbox ${appId}`).slice(0, 20)}`
  const ownerId = owner.profile._id
  await database.updateTable('account').set({ oauthEnabled: true }).where('id', '=', ownerId).execute()
  const shown = await readOwnerIdentity(database, ownerId, config)
  await database
    .insertInto('app')
    .values({
      id: appId,
      ownerId,
      status,
      clientType,
      statusBefore: null,
      clientId,
      sandboxClientId,
      liveRevision: 1,
      draftRevision: null,
      submittedAt: now,
      deletedAt: null,
      createdAt: now,
      modifiedAt: now,
    })
    .execute()
  await database
    .insertInto('appRevision')
    .values({
      appId,
      number: 1,
      name,
      nameKeys: nameKeys(name),
      ownerName: shown.name,
      ownerOrganisation: shown.organisation,
      useCase: 'scheduling',
      description: '',
      homepageUrl: 'https://planner.example/',
      policyUrl: 'https://planner.example/privacy',
      logoUrl: 'https://planner.example/logo.png',
      callbackUrls: options.callbackUrls ?? [callbackUrl],
      embedOrigins: options.embedOrigins ?? [],
      scopes: options.scopes ?? ['user:read', 'meeting:read', 'meeting:create'],
      requirePkce: options.requirePkce ?? false,
      sendIss: options.sendIss ?? true,
      submittedAt: now,
      createdAt: now,
    })
    .execute()
  if (options.logo !== undefined) {
    await database
      .insertInto('appLogo')
      .values({ appId, revision: 1, ...options.logo })
      .execute()
  }
  if (isPublic(clientType)) return { appId, clientId, clientSecret: '', sandboxClientId, sandboxClientSecret: '' }
  const clientSecret = await addSecret(database, appId, false)
  const sandboxClientSecret = await addSecret(database, appId, true)
  return { appId, clientId, clientSecret, sandboxClientId, sandboxClientSecret }
}

async function addSecret(database: TestApp['database'], appId: string, sandbox: boolean): Promise<string> {
  const now = new Date()
  const { token, hash: secretHash } = newToken('appSecret', secureRandom)
  await database
    .insertInto('appSecret')
    .values({
      id: secureRandom.uuid(now),
      appId,
      name: 'Server',
      sandbox,
      secretHash,
      createdAt: now,
      expiresAt: null,
      lastUsedAt: null,
      retiredAt: null,
    })
    .execute()
  return token
}
