import { likenessOf, nameKeys } from '@parley/rules/oauth-apps/look-alike-names'
import { sql } from 'kysely'
import { problem } from '../platform/http/problem.ts'
import type { Database, Tx } from '../tables/tables.ts'

/** Names of about one length; beyond it a look-alike is left to the reviewer. */
const maxNamesCompared = 5_000

/** Any number that nobody else locks: 'name' in the keypad's digits. */
const nameLock = 6_263

/** The keys of other apps' names that could be taken for this one: of what is live, and of what waits for a review. */
export async function findNearNameKeys(database: Database, name: string, appId: string | undefined): Promise<string[]> {
  const length = nameKeys(name)[0]?.length ?? 0
  const rows = await takenNames(database, appId)
    .where(sql<boolean>`length(app_revision.name_key) between ${length - 2} and ${length + 2}`)
    .limit(maxNamesCompared)
    .execute()
  return rows.flatMap((row) => [row.nameKey, ...row.nameKeys])
}

/**
 * Keeps a name for this app until commit: of two that take the same at the same time, one gets it.
 * @throws app_name_taken
 */
export async function claimName(tx: Tx, name: string, appId: string): Promise<void> {
  const keys = nameKeys(name)
  // In one order, so that two who take look-alike names do not wait for each other.
  for (const key of keys.toSorted()) {
    await sql`select pg_advisory_xact_lock(${nameLock}, hashtext(${key}))`.execute(tx)
  }
  const other = await takenNames(tx, appId)
    .where(({ eb, or }) => or([eb('appRevision.nameKey', 'in', keys), sql<boolean>`app_revision.name_keys && ${keys}`]))
    .limit(1)
    .executeTakeFirst()
  if (other !== undefined) throw problem('app_name_taken')
}

/** @throws app_name_taken */
export async function likenessToOthers(database: Database, name: string, appId: string | undefined) {
  const likeness = likenessOf(nameKeys(name), await findNearNameKeys(database, name, appId))
  if (likeness === 'same') throw problem('app_name_taken')
  return likeness
}

/** An app's own name is no other's; a draft that was only saved, or was rejected, keeps none. */
function takenNames(database: Database, appId: string | undefined) {
  return database
    .selectFrom('appRevision')
    .innerJoin('app', 'app.id', 'appRevision.appId')
    .select(['appRevision.nameKey', 'appRevision.nameKeys'])
    .where('app.deletedAt', 'is', null)
    .where(({ eb, or, and, ref, fn }) => {
      const status = fn.coalesce('app.statusBefore', 'app.status')
      return or([
        eb('appRevision.number', '=', ref('app.liveRevision')),
        and([eb('appRevision.number', '=', ref('app.draftRevision')), eb(status, 'in', ['under_review', 'on_hold'])]),
      ])
    })
    .$if(appId !== undefined, (names) => names.where('app.id', '!=', appId ?? ''))
}
