import { statement } from '../../platform/database/database.ts'
import type { Database } from '../../tables/tables.ts'

export type ActiveSecret = { id: string; secretHash: Buffer; expiresAt: Date | null; lastUsedAt: Date | null }

/**
 * What there is of a client id. Of one that is nobody's, and of a client without secrets, there is the same: an app, which
 * then is `nobodysId`, and a secret, which then has that id and a hash that nothing hashes to.
 */
export type ClientWithSecrets = {
  clientId: string
  appId: string
  sandbox: boolean
  /** Those that are not retired, the expired among them: two at most (oauth.md 4). */
  secrets: readonly ActiveSecret[]
}

/** Of no app and no secret. */
export const nobodysId = '00000000-0000-0000-0000-000000000000'

type Row = Omit<ClientWithSecrets, 'secrets'> & ActiveSecret

/** An id that is nobody's takes the same steps and gives a row of the same length: the time does not tell it (issue 3). */
const findStatement = statement<Row>(
  'find-client-secrets',
  `select asked.id as "clientId", coalesce(p.id, '${nobodysId}') as "appId", coalesce(p.sandbox, false) as sandbox,
     coalesce(s.id, '${nobodysId}') as id, coalesce(s.secret_hash, decode(repeat('00', 32), 'hex')) as "secretHash",
     s.expires_at as "expiresAt", s.last_used_at as "lastUsedAt"
   from unnest($1::text[]) as asked (id)
   left join lateral (
     select id, false as sandbox from app where client_id = asked.id and deleted_at is null
     union all
     select id, true from app where sandbox_client_id = asked.id and submitted_at is not null and deleted_at is null
   ) p on true
   left join app_secret s on s.app_id = coalesce(p.id, '${nobodysId}') and s.sandbox = p.sandbox and s.retired_at is null`,
)

/** What there is of each of these ids. */
export async function findClientsWithSecrets(
  database: Database,
  clientIds: readonly string[],
): Promise<ClientWithSecrets[]> {
  const rows = await findStatement(database, [[...new Set(clientIds)]])
  const byClient = Map.groupBy(rows, ({ clientId }) => clientId)
  return [...byClient.values()].flatMap((own) =>
    own.slice(0, 1).map(({ clientId, appId, sandbox }) => ({ clientId, appId, sandbox, secrets: own })),
  )
}

export type TriedSecret = { appId: string; secretHash: Buffer }

const findNamesStatement = statement<{ appId: string; secretHash: Buffer; name: string }>(
  'find-secret-names',
  `select s.app_id as "appId", s.secret_hash as "secretHash", s.name
   from unnest($1::uuid[], $2::bytea[]) as tried (app_id, secret_hash)
   join app_secret s on s.app_id = tried.app_id and s.secret_hash = tried.secret_hash`,
)

/** The names of those that are an app's secret, also a retired one. */
export const findSecretNames = (database: Database, tried: readonly TriedSecret[]) =>
  findNamesStatement(database, [tried.map(({ appId }) => appId), tried.map(({ secretHash }) => secretHash)])
