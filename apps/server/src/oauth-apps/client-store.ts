import { type AppRegistration, type AppStatus, isScope, type Scope } from '@parley/contract'
import { type ClientType, isPublic } from '@parley/rules/oauth/client-type'
import { framingOrigins } from '@parley/rules/oauth/embed-ticket'
import { allowsTesters } from '@parley/rules/oauth-apps/app-review'
import { isClientIdUrl, maxClientIdUrlLength } from '@parley/rules/oauth-apps/client-id-url'
import type { ClaimedName } from '@parley/rules/oauth-apps/shown-name'
import { sql } from 'kysely'
import { sqlOwnerActive } from '../access/credentials/live-grant.ts'
import type { Database } from '../platform/database/database.ts'
import { defineStatement } from '../platform/database/define-statement.ts'
import { pick, tables } from '../platform/database/tables.ts'
import type { Random } from '../platform/random.ts'
import { findTesterState } from './tester-store.ts'

/** An app for the OAuth endpoints: found by client id, with the revision that applies. */
export type OAuthClient = {
  appId: string
  /** Null for a client that no developer has registered. */
  ownerId: string | null
  clientId: string
  /** True for the sandbox client id, which only the owner and testers may use. */
  sandbox: boolean
  clientType: ClientType
  status: AppStatus
  /** False while the owner may not use OAuth or is disabled: the app then behaves as suspended. */
  ownerActive: boolean
  registration: AppRegistration
  /**
   * Nothing of this client is approved, and `revision` waits for its review: only reviewers and administrators may use it.
   * Always false for apps of developers, which have their sandbox instead.
   */
  unreviewed: boolean
  /** AGENT_CLIENTS approved the live revision, and no reviewer has seen it. */
  liveByConfiguration: boolean
  hasDraft: boolean
  /** A reviewer has approved `revision`, and with it what the app says about itself. */
  isReviewed: boolean
  name: ClaimedName
  revision: ClientRevision
}

export type ClientRevision = {
  number: number
  homepageUrl: string
  policyUrl: string
  callbackUrls: readonly string[]
  embedOrigins: readonly string[]
  /** In registered order. */
  scopes: readonly Scope[]
  /** Always for public clients. */
  requirePkce: boolean
  sendIss: boolean
  /** The owner as reviewed; null for clients that no developer has registered. */
  ownerName: string | null
  ownerOrganisation: string | null
}

export const sandboxClientPrefix = 'test_'

/** Generated ids match this. */
const generatedIdForm = /^[A-Za-z0-9_]{1,100}$/

/** Whether a text may be a client id: a generated one, or the URL of a client ID metadata document. */
export const isClientId = (text: string): boolean =>
  generatedIdForm.test(text) || (isClientIdUrl(text) && text.length <= maxClientIdUrlLength)

const clientTypes = {
  ...pick(
    tables.appRevision,
    'appId',
    'number',
    'name',
    'homepageUrl',
    'policyUrl',
    'callbackUrls',
    'embedOrigins',
    'requirePkce',
    'sendIss',
    'ownerName',
    'ownerOrganisation',
  ),
  ...pick(tables.app, 'ownerId', 'clientType', 'status', 'registration', 'liveByConfiguration'),
  ownerActive: 'boolean',
  unreviewed: 'boolean',
  hasDraft: 'boolean',
  isReviewed: 'boolean',
  scopes: 'text[]',
} as const

const clientColumns = sql`p.id as app_id, p.owner_id, p.client_type, p.status,
  ${sqlOwnerActive} as owner_active, p.registration, p.registration <> 'portal' and p.live_revision is null as unreviewed,
  p.live_by_configuration, p.draft_revision is not null as has_draft,
  coalesce(p.live_revision = r.number and not p.live_by_configuration, false) as is_reviewed,
  r.number, r.name, r.homepage_url, r.policy_url, r.callback_urls, r.embed_origins,
  r.scopes, r.require_pkce, r.send_iss,
  r.owner_name, r.owner_organisation`

const findLiveStatement = defineStatement({
  name: 'find-client',
  parameters: { clientId: 'text' },
  columns: clientTypes,
  text: (p) => sql`select ${clientColumns} from app p left join account o on o.id = p.owner_id
   join app_revision r on r.app_id = p.id
     and r.number = case p.registration when 'portal' then p.live_revision else coalesce(p.live_revision, p.draft_revision) end
   where p.client_id = ${p.clientId} and p.deleted_at is null`,
})

const findSandboxStatement = defineStatement({
  name: 'find-sandbox-client',
  parameters: { clientId: 'text' },
  columns: clientTypes,
  text: (p) => sql`select ${clientColumns} from app p left join account o on o.id = p.owner_id
   join app_revision r on r.app_id = p.id and r.number = coalesce(p.draft_revision, p.live_revision)
   where p.sandbox_client_id = ${p.clientId} and p.submitted_at is not null and p.deleted_at is null`,
})

/**
 * Find a client by id, with its live revision, or in the sandbox with its draft if there is one. A client that no
 * developer has registered is found with the revision that waits for its first review. Deleted apps, and sandboxes of
 * apps that were never submitted, are not found; suspended apps are found, with their status.
 */
export async function findClient(database: Database, clientId: string): Promise<OAuthClient | undefined> {
  if (!isClientId(clientId)) return undefined
  const sandbox = clientId.startsWith(sandboxClientPrefix)
  const [row] = await (sandbox ? findSandboxStatement : findLiveStatement).execute(database, { clientId })
  if (row === undefined) return undefined
  const { number, name, homepageUrl, policyUrl, callbackUrls, embedOrigins, scopes, sendIss, ...named } = row
  const { ownerName, ownerOrganisation, ...app } = named
  const revision = { number, homepageUrl, policyUrl, callbackUrls, embedOrigins, sendIss, ownerName, ownerOrganisation }
  const { requirePkce, ...client } = app
  return {
    ...client,
    clientId,
    sandbox,
    name: { claimedName: name },
    revision: {
      ...revision,
      scopes: scopes.filter((scope) => isScope(scope)),
      requirePkce: requirePkce || isPublic(client.clientType),
    },
  }
}

/**
 * Find the origins of the pages that may embed meetings of a client now: none of one that is unknown, suspended or not
 * approved.
 */
export async function findFramingOrigins(database: Database, clientId: string): Promise<readonly string[]> {
  const client = await findClient(database, clientId)
  if (client === undefined || client.status === 'suspended' || !client.ownerActive || client.unreviewed) return []
  return framingOrigins(client.sandbox, client.revision.embedOrigins)
}

/** An account's role in the sandbox of an app. */
type SandboxRole = 'owner' | 'tester' | 'invited'

/**
 * Find an account's role in a sandbox; undefined for others. Owner and accepted testers may use it; pending and
 * declined testers are asked first. A tester's address must be trusted, and the app may not be rejected or on hold.
 */
export async function sandboxRoleOf(
  database: Database,
  client: Pick<OAuthClient, 'appId' | 'ownerId' | 'status'>,
  account: { accountId: string; addressKey: string; addressTrusted: boolean },
): Promise<SandboxRole | undefined> {
  if (account.accountId === client.ownerId) return 'owner'
  if (!account.addressTrusted || !allowsTesters(client.status)) return undefined
  const state = await findTesterState(database, client.appId, account.addressKey)
  if (state === undefined) return undefined
  return state === 'accepted' ? 'tester' : 'invited'
}

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 62^24 is more than 2^142: client ids are no secrets, but cannot be guessed. */
const idLength = 24

/**
 * Generate a client id of `[A-Za-z0-9_]`, which needs no encoding in HTTP Basic (RFC 6749, 2.3.1). The prefix marks the
 * client ids of sandboxes.
 */
export function newClientId(kind: 'real' | 'sandbox', random: Random): string {
  const id = Array.from({ length: idLength }, () => letters.charAt(random.below(letters.length))).join('')
  return `${kind === 'sandbox' ? sandboxClientPrefix : 'app_'}${id}`
}
