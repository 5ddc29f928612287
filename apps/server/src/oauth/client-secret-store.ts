import type { Database } from '../../migrations/tables.ts'
import { statement } from '../platform/database.ts'

export type ActiveSecret = { id: string; secretHash: Buffer; expiresAt: Date | null; lastUsedAt: Date | null }

/** A client with its secrets that are not retired, the expired among them: two at most (oauth.md 4). */
export type ClientWithSecrets = { clientId: string; appId: string; sandbox: boolean; secrets: readonly ActiveSecret[] }

type Row = { clientId: string; appId: string; sandbox: boolean } & (
  | ActiveSecret
  | { [name in keyof ActiveSecret]: null }
)

const secretsOf = (idColumn: string, sandbox: boolean) => `select p.${idColumn} as "clientId", p.id as "appId",
    ${sandbox} as sandbox, s.id, s.secret_hash as "secretHash", s.expires_at as "expiresAt",
    s.last_used_at as "lastUsedAt"
  from app p left join app_secret s on s.app_id = p.id and s.sandbox = ${sandbox} and s.retired_at is null
  where p.${idColumn} = any($1::text[]) and p.deleted_at is null`

const findStatement = statement<Row>(
  'find-client-secrets',
  `${secretsOf('client_id', false)} union all
   ${secretsOf('sandbox_client_id', true)} and p.submitted_at is not null`,
)

/** The clients of these ids; an id that is nobody's is left out. */
export async function findClientsWithSecrets(
  database: Database,
  clientIds: readonly string[],
): Promise<ClientWithSecrets[]> {
  const rows = await findStatement(database, [[...new Set(clientIds)]])
  const byClient = Map.groupBy(rows, ({ clientId }) => clientId)
  return [...byClient.values()].flatMap((own) =>
    own.slice(0, 1).map(({ clientId, appId, sandbox }) => ({
      ...{ clientId, appId, sandbox },
      secrets: own.filter((row) => row.id !== null),
    })),
  )
}

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
