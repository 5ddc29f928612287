import type { AppRegistration } from '@parley/contract'
import type { ClientType } from '@parley/rules/oauth/client-type'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { pick, tables } from '../../platform/database/tables.ts'

export type ActiveSecret = { id: string; secretHash: Buffer; expiresAt: Date | null; lastUsedAt: Date | null }

type ClientWithSecrets = {
  clientId: string
  appId: string
  sandbox: boolean
  clientType: ClientType
  registration: AppRegistration
  /**
   * The secrets that are not retired, expired ones included: two at most, of a sandbox the Playground's too
   * (docs/oauth.md, "Secrets"), none of a public client.
   */
  secrets: readonly ActiveSecret[]
}

const findStatement = defineStatement({
  name: 'find-client-secrets',
  parameters: { clientIds: 'text[]' },
  columns: {
    clientId: 'text',
    ...pick(tables.appSecret, 'appId', 'sandbox', 'expiresAt', 'lastUsedAt'),
    ...pick(tables.app, 'clientType', 'registration'),
    id: 'uuid?',
    secretHash: 'bytea?',
  },
  text: (p) => sql`select p.client_id, p.id as app_id, p.sandbox, p.client_type,
     p.registration, s.id,
     s.secret_hash, s.expires_at, s.last_used_at
   from unnest(${p.clientIds}) as requested (id)
   join lateral (
     select client_id, id, client_type, registration, false as sandbox from app where client_id = requested.id and deleted_at is null
     union all
     select sandbox_client_id, id, client_type, registration, true from app
       where sandbox_client_id = requested.id and submitted_at is not null and deleted_at is null
   ) p on true
   left join app_secret s on s.app_id = p.id and s.sandbox = p.sandbox and s.retired_at is null`,
})

/** Find the clients of these ids; unknown ids have no entry. */
export async function findClientsWithSecrets(
  database: Database,
  clientIds: readonly string[],
): Promise<ClientWithSecrets[]> {
  const rows = await findStatement.execute(database, { clientIds: [...new Set(clientIds)] })
  const byClient = Map.groupBy(rows, ({ clientId }) => clientId)
  return [...byClient.values()].flatMap((own) =>
    own.slice(0, 1).map(({ clientId, appId, sandbox, clientType, registration }) => ({
      clientId,
      appId,
      sandbox,
      clientType,
      registration,
      secrets: own.flatMap(secretOf),
    })),
  )
}

type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null }

/** A client without secrets has one row without a secret. */
const secretOf = ({ id, secretHash, expiresAt, lastUsedAt }: Nullable<ActiveSecret>): ActiveSecret[] =>
  id === null || secretHash === null ? [] : [{ id, secretHash, expiresAt, lastUsedAt }]
