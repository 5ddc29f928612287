import { sql } from 'kysely'
import { defineStatement } from '../../platform/database/define-statement.ts'
import type { Database } from '../../tables/tables.ts'

export type ActiveSecret = { id: string; secretHash: Buffer; expiresAt: Date | null; lastUsedAt: Date | null }

/**
 * A client id with its app and secrets. An unknown id, and a client without secrets, have the same shape: the app id
 * `absentId`, and one secret with that id and an all-zero hash, which no secret has.
 */
export type ClientWithSecrets = {
  clientId: string
  appId: string
  sandbox: boolean
  /** The secrets that are not retired, expired ones included: two at most (docs/oauth.md, "Secrets"). */
  secrets: readonly ActiveSecret[]
}

/** The id in place of a missing app or secret. */
export const absentId = '00000000-0000-0000-0000-000000000000'

/** An unknown id takes the same steps and returns a row of the same length, so that the time does not tell it apart. */
const findStatement = defineStatement({
  name: 'find-client-secrets',
  parameters: { clientIds: 'text[]' },
  columns: {
    clientId: 'text',
    appId: 'uuid',
    sandbox: 'boolean',
    id: 'uuid',
    secretHash: 'bytea',
    expiresAt: 'timestamptz?',
    lastUsedAt: 'timestamptz?',
  },
  text: (p) => sql`select requested.id as "clientId", coalesce(p.id, ${sql.lit(absentId)}) as "appId",
     coalesce(p.sandbox, false) as sandbox, coalesce(s.id, ${sql.lit(absentId)}) as id, coalesce(s.secret_hash, decode(repeat('00', 32), 'hex')) as "secretHash",
     s.expires_at as "expiresAt", s.last_used_at as "lastUsedAt"
   from unnest(${p.clientIds}) as requested (id)
   left join lateral (
     select id, false as sandbox from app where client_id = requested.id and deleted_at is null
     union all
     select id, true from app where sandbox_client_id = requested.id and submitted_at is not null and deleted_at is null
   ) p on true
   left join app_secret s on s.app_id = coalesce(p.id, ${sql.lit(absentId)}) and s.sandbox = p.sandbox
     and s.retired_at is null`,
})

/** Find the clients of these ids; each id has an entry. */
export async function findClientsWithSecrets(
  database: Database,
  clientIds: readonly string[],
): Promise<ClientWithSecrets[]> {
  const rows = await findStatement.execute(database, { clientIds: [...new Set(clientIds)] })
  const byClient = Map.groupBy(rows, ({ clientId }) => clientId)
  return [...byClient.values()].flatMap((own) =>
    own.slice(0, 1).map(({ clientId, appId, sandbox }) => ({ clientId, appId, sandbox, secrets: own })),
  )
}

export type TriedSecret = { appId: string; secretHash: Buffer }

const findNamesStatement = defineStatement({
  name: 'find-secret-names',
  parameters: { appIds: 'uuid[]', secretHashes: 'bytea[]' },
  columns: { appId: 'uuid', secretHash: 'bytea', name: 'text' },
  text: (p) => sql`select s.app_id as "appId", s.secret_hash as "secretHash", s.name
   from unnest(${p.appIds}, ${p.secretHashes}) as tried (app_id, secret_hash)
   join app_secret s on s.app_id = tried.app_id and s.secret_hash = tried.secret_hash`,
})

/** Find the names of tried secrets that are an app's, retired ones included. */
export const findSecretNames = (database: Database, tried: readonly TriedSecret[]) =>
  findNamesStatement.execute(database, {
    appIds: tried.map(({ appId }) => appId),
    secretHashes: tried.map(({ secretHash }) => secretHash),
  })
