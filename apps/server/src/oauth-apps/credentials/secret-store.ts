import type { Insertable } from 'kysely'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'

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

/** Retire a secret; undefined when the app has no such secret, or it is retired already. */
export const retireSecretRow = (tx: Tx, appId: string, secretId: string, now: Date) =>
  tx
    .updateTable('appSecret')
    .set({ retiredAt: now })
    .where('appId', '=', appId)
    .where('id', '=', secretId)
    .where('retiredAt', 'is', null)
    .returning(['name', 'sandbox'])
    .executeTakeFirst()

/** Retire the secret that the Playground has, so that it can have another. */
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
