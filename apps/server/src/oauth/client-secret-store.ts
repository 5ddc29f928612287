import type { Database } from '../../migrations/tables.ts'
import { sandboxClientPrefix } from '../apps/client-store.ts'
import { statement } from '../platform/database.ts'

/** A client with one of its secrets; all of that is null for a client that has none. */
export type ClientSecretRow = {
  appId: string
  sandbox: boolean
  id: string | null
  secretHash: Buffer | null
  expiresAt: Date | null
  lastUsedAt: Date | null
}

/** Two at most are active (oauth.md 4), and the index holds no others. */
const secretsOf = (idColumn: string, sandbox: boolean) => `select p.id as "appId", ${sandbox} as sandbox, s.id,
    s.secret_hash as "secretHash", s.expires_at as "expiresAt", s.last_used_at as "lastUsedAt"
  from app p left join app_secret s on s.app_id = p.id and s.sandbox = ${sandbox} and s.retired_at is null
  where p.${idColumn} = $1 and p.deleted_at is null`

const findStatement = statement<ClientSecretRow>('find-client-secrets', secretsOf('client_id', false))
const findSandboxStatement = statement<ClientSecretRow>(
  'find-sandbox-secrets',
  `${secretsOf('sandbox_client_id', true)} and p.submitted_at is not null`,
)

/** The client of an id with its active secrets, the expired among them; none when there is no such client. */
export const findClientSecrets = (database: Database, clientId: string): Promise<ClientSecretRow[]> =>
  (clientId.startsWith(sandboxClientPrefix) ? findSandboxStatement : findStatement)(database, [clientId])

/** The name of an app's secret of this hash, also of a retired one. */
export async function findSecretName(
  database: Database,
  appId: string,
  secretHash: Buffer,
): Promise<string | undefined> {
  const secret = await database
    .selectFrom('appSecret')
    .select('name')
    .where('appId', '=', appId)
    .where('secretHash', '=', secretHash)
    .executeTakeFirst()
  return secret?.name
}
