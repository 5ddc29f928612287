import { type AppStatus, isScope, type Scope } from '@parley/contract'
import { statement } from '../../platform/database/database.ts'
import type { Database } from '../../tables/tables.ts'
import { findTesterState } from './tester-store.ts'

/** An app as OAuth's endpoints meet it: by its client id, with the revision that counts there. */
export type Client = {
  appId: string
  ownerId: string
  clientId: string
  /** Found by its sandbox client id: only its owner and its testers may use it. */
  sandbox: boolean
  status: AppStatus
  /** False while OAuth is taken away from the owner or the owner is disabled: the app behaves as suspended (oauth.md 6.1). */
  ownerActive: boolean
  revision: ClientRevision
}

export type ClientRevision = {
  number: number
  name: string
  homepageUrl: string
  policyUrl: string
  callbackUrls: readonly string[]
  /** In the order in which the app registered them. */
  scopes: readonly Scope[]
  requirePkce: boolean
  sendIss: boolean
  /** What is said of the owner, as it was reviewed; null where it was not kept yet. */
  ownerName: string | null
  ownerOrganisation: string | null
}

export const sandboxClientPrefix = 'test_'

/** Ids are made of these letters alone, so that no client has to encode them (oauth.md 1). */
const clientIdForm = /^[A-Za-z0-9_]{1,100}$/

type ClientRow = Omit<Client, 'clientId' | 'sandbox' | 'revision'> & ClientRevision & { scopes: readonly string[] }

const clientColumns = `p.id as "appId", p.owner_id as "ownerId", p.status,
  o.oauth_enabled and o.disabled_at is null as "ownerActive",
  r.number, r.name, r.homepage_url as "homepageUrl", r.policy_url as "policyUrl", r.callback_urls as "callbackUrls",
  r.scopes, r.require_pkce as "requirePkce", r.send_iss as "sendIss",
  r.owner_name as "ownerName", r.owner_organisation as "ownerOrganisation"`

const findLiveStatement = statement<ClientRow>(
  'find-client',
  `select ${clientColumns} from app p join account o on o.id = p.owner_id
   join app_revision r on r.app_id = p.id and r.number = p.live_revision
   where p.client_id = $1 and p.deleted_at is null`,
)

const findSandboxStatement = statement<ClientRow>(
  'find-sandbox-client',
  `select ${clientColumns} from app p join account o on o.id = p.owner_id
   join app_revision r on r.app_id = p.id and r.number = coalesce(p.draft_revision, p.live_revision)
   where p.sandbox_client_id = $1 and p.submitted_at is not null and p.deleted_at is null`,
)

/**
 * The client of an id: with its live revision, or in the sandbox with its draft while there is one. A deleted app, and a
 * sandbox whose app was never submitted, are not found; a suspended app is, and says so.
 */
export async function findClient(database: Database, clientId: string): Promise<Client | undefined> {
  if (!clientIdForm.test(clientId)) return undefined
  const sandbox = clientId.startsWith(sandboxClientPrefix)
  const [row] = await (sandbox ? findSandboxStatement : findLiveStatement)(database, [clientId])
  if (row === undefined) return undefined
  const { appId, ownerId, status, ownerActive, scopes, ...revision } = row
  const known = scopes.filter((scope) => isScope(scope))
  return { appId, ownerId, clientId, sandbox, status, ownerActive, revision: { ...revision, scopes: known } }
}

/** What an account may do with the sandbox of an app; undefined for one that has nothing to do with it. */
export type SandboxRole = 'owner' | 'tester' | 'invited'

/**
 * The owner and the testers who have accepted use a sandbox; who has not, or has declined, is asked (first). A tester's
 * address must be trusted.
 */
export async function sandboxRoleOf(
  database: Database,
  client: Pick<Client, 'appId' | 'ownerId'>,
  account: { accountId: string; addressKey: string; addressTrusted: boolean },
): Promise<SandboxRole | undefined> {
  if (account.accountId === client.ownerId) return 'owner'
  if (!account.addressTrusted) return undefined
  const state = await findTesterState(database, client.appId, account.addressKey)
  if (state === undefined) return undefined
  return state === 'accepted' ? 'tester' : 'invited'
}
