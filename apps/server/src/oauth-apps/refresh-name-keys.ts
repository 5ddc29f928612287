import { nameKeys, nameKeysVersion } from '@parley/rules/oauth-apps/look-alike-names'
import { Type } from 'typebox'
import { type Database, inTransaction } from '../platform/database/database.ts'
import { defineJob } from '../platform/jobs/define-job.ts'

export const refreshNameKeysJob = defineJob('refresh-name-keys', Type.Unknown())

/** Some milliseconds of work, so that rows are locked briefly. */
const batchSize = 200

/**
 * Recompute the look-alike keys that were computed by an older version of the rule, or never. Runs when the service
 * starts; two instances share the rows. Returns how many were written.
 */
export async function refreshNameKeys(database: Database): Promise<number> {
  let refreshed = 0
  for (;;) {
    const count = await inTransaction(database, async (tx) => {
      const rows = await tx
        .selectFrom('appRevision')
        .select(['appId', 'number', 'name'])
        .where('nameKeysVersion', '<', nameKeysVersion)
        .limit(batchSize)
        .forUpdate()
        .skipLocked()
        .execute()
      for (const { appId, number, name } of rows) {
        await tx
          .updateTable('appRevision')
          .set(keysOf(name))
          .where('appId', '=', appId)
          .where('number', '=', number)
          .execute()
      }
      return rows.length
    })
    refreshed += count
    if (count < batchSize) return refreshed
  }
}

/** The columns by which a name is compared; the first key is the name as written. */
export function keysOf(name: string) {
  const keys = nameKeys(name)
  return { nameKey: keys[0] ?? '', nameKeys: keys, nameKeysVersion }
}
