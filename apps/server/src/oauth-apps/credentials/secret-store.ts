import type { Insertable } from 'kysely'
import type { Database, Tables, Tx } from '../../tables/tables.ts'

/** Of both sides, the oldest first; never their hashes. */
export const listActiveSecrets = (database: Database, appId: string, now: Date) =>
  database
    .selectFrom('appSecret')
    .select(['id', 'name', 'sandbox', 'createdAt', 'expiresAt', 'lastUsedAt'])
    .where('appId', '=', appId)
    .where('retiredAt', 'is', null)
    .where(({ eb, or }) => or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]))
    .orderBy('id')
    .execute()

export type SecretRow = Awaited<ReturnType<typeof listActiveSecrets>>[number]

export const insertSecret = (tx: Tx, secret: Insertable<Tables['appSecret']>) =>
  tx.insertInto('appSecret').values(secret).execute()

/** The secret that went; undefined when the app has no such one, or it was retired before. */
export const retireSecretRow = (tx: Tx, appId: string, secretId: string, now: Date) =>
  tx
    .updateTable('appSecret')
    .set({ retiredAt: now })
    .where('appId', '=', appId)
    .where('id', '=', secretId)
    .where('retiredAt', 'is', null)
    .returning(['name', 'sandbox'])
    .executeTakeFirst()

export const retireAllSecrets = (tx: Tx, appId: string, now: Date) =>
  tx
    .updateTable('appSecret')
    .set({ retiredAt: now })
    .where('appId', '=', appId)
    .where('retiredAt', 'is', null)
    .execute()
