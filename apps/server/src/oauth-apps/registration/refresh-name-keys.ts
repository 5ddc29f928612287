import { nameKeys, nameKeysVersion } from '@parley/rules/oauth-apps/look-alike-names'
import { Type } from 'typebox'
import { inTransaction } from '../../platform/database/database.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import type { Database } from '../../tables/tables.ts'

export const refreshNameKeysJob = defineJob('refresh-name-keys', Type.Unknown())

/** Some milliseconds of work, so that nobody waits for the rows for long. */
const batchSize = 200

/**
 * Computes the look-alike keys of names again that an older version of the rule has made, or none. Runs when the service
 * starts; two instances share the rows out between them. Returns how many it has written.
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

/** What is kept of a name for comparing it: as it is written first. */
export function keysOf(name: string) {
  const keys = nameKeys(name)
  return { nameKey: keys[0] ?? '', nameKeys: keys, nameKeysVersion }
}
