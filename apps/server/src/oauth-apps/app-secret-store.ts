import { type Insertable, sql } from 'kysely'
import type { Database, Tx } from '../platform/database/database.ts'
import { defineStatement } from '../platform/database/define-statement.ts'
import { pick, type Tables, tables } from '../platform/database/tables.ts'

/** List an app's active secrets, sandbox included, oldest first, without hashes. */
export const listActiveSecrets = (database: Database, appId: string, now: Date) =>
  database
    .selectFrom('appSecret')
    .select(['id', 'name', 'sandbox', 'forPlayground', 'createdAt', 'expiresAt', 'lastUsedAt'])
    .where('appId', '=', appId)
    .where('retiredAt', 'is', null)
    .where(({ eb, or }) => or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]))
    .orderBy('id')
    .execute()

export type SecretRow = Awaited<ReturnType<typeof listActiveSecrets>>[number]

export const insertSecret = (tx: Tx, secret: Insertable<Tables['appSecret']>) =>
  tx.insertInto('appSecret').values(secret).execute()

/** Retire a secret. @returns undefined when the app has no such secret, or has retired it already */
export const retireSecretRow = (tx: Tx, appId: string, secretId: string, now: Date) =>
  tx
    .updateTable('appSecret')
    .set({ retiredAt: now })
    .where('appId', '=', appId)
    .where('id', '=', secretId)
    .where('retiredAt', 'is', null)
    .returning(['name', 'sandbox'])
    .executeTakeFirst()

/** Retire the secret of the Playground. */
export const retirePlaygroundSecret = (tx: Tx, appId: string, now: Date) =>
  tx
    .updateTable('appSecret')
    .set({ retiredAt: now })
    .where('appId', '=', appId)
    .where('forPlayground', '=', true)
    .where('retiredAt', 'is', null)
    .execute()

export const retireAllSecrets = (tx: Tx, appId: string, now: Date) =>
  tx
    .updateTable('appSecret')
    .set({ retiredAt: now })
    .where('appId', '=', appId)
    .where('retiredAt', 'is', null)
    .execute()

/** The most reports in one transaction, which records an event for each. The job of the next hour reports the rest. */
const maxReportedSecrets = 1_000

const markExpiringStatement = defineStatement({
  name: 'mark-expiring-secrets',
  parameters: { now: 'timestamptz', until: 'timestamptz' },
  columns: {
    secretId: 'uuid',
    secretName: 'text',
    ...pick(tables.appSecret, 'sandbox', 'expiresAt', 'appId', 'name'),
    ownerId: tables.app.ownerId,
  },
  text: (p) => sql`update app_secret s set expiry_reported_at = ${p.now}
    from app a join app_revision v on v.app_id = a.id and v.number = coalesce(a.live_revision, a.draft_revision)
    where a.id = s.app_id and a.deleted_at is null and s.id in (
      select id from app_secret where expires_at > ${p.now} and expires_at <= ${p.until} and retired_at is null
        and expiry_reported_at is null and not for_playground
      order by expires_at limit ${sql.lit(maxReportedSecrets)} for update skip locked)
    returning s.id as secret_id, s.name as secret_name, s.sandbox, s.expires_at, a.id as app_id,
      v.name, a.owner_id`,
})

/** Mark the secrets that expire until a time and are not marked yet, and return them. */
export const markExpiringSecrets = (tx: Tx, now: Date, until: Date) => markExpiringStatement.execute(tx, { now, until })

type TriedSecretHash = { appId: string; secretHash: Buffer }

const findTriedSecretsStatement = defineStatement({
  name: 'find-tried-secrets',
  parameters: { appIds: 'uuid[]', secretHashes: 'bytea[]' },
  columns: pick(tables.appSecret, 'appId', 'secretHash', 'name', 'sandbox', 'retiredAt', 'expiresAt'),
  text: (p) => sql`select s.app_id, s.secret_hash, s.name, s.sandbox,
      s.retired_at, s.expires_at
    from unnest(${p.appIds}, ${p.secretHashes}) as tried (app_id, secret_hash)
    join app_secret s on s.app_id = tried.app_id and s.secret_hash = tried.secret_hash`,
})

/** Find the tried secrets that belong to the app, of both environments, and retired secrets as well. */
export const findTriedSecrets = (database: Database, tried: readonly TriedSecretHash[]) =>
  findTriedSecretsStatement.execute(database, {
    appIds: tried.map(({ appId }) => appId),
    secretHashes: tried.map(({ secretHash }) => secretHash),
  })
