import { likenessOf, nameKeys } from '@parley/rules/oauth-apps/look-alike-names'
import { sql } from 'kysely'
import type { Database, Tx } from '../platform/database/database.ts'
import { problem } from '../platform/http/problem.ts'

/** The maximum of names of similar length to compare; further look-alikes are left to the reviewer. */
const maxNamesCompared = 5_000

/** The key of the advisory locks on names: an arbitrary number that no other lock uses. */
const nameLock = 6_263

/** Find the keys of other apps' names of similar length: live names, and those that await a review. */
export async function findSimilarNameKeys(
  database: Database,
  name: string,
  appId: string | undefined,
): Promise<string[]> {
  const length = nameKeys(name)[0]?.length ?? 0
  const rows = await takenNames(database, appId)
    .where(sql<boolean>`length(app_revision.name_keys[1]) between ${length - 2} and ${length + 2}`)
    .limit(maxNamesCompared)
    .execute()
  return rows.flatMap((row) => row.nameKeys)
}

/**
 * Lock a name until commit and require that no other app has it, so that of two concurrent claims one fails.
 * @throws app_name_taken
 */
export async function reserveName(tx: Tx, name: string, appId: string): Promise<void> {
  const keys = nameKeys(name)
  // Sorted, so that concurrent claims of look-alike names cannot deadlock.
  for (const key of keys.toSorted()) {
    await sql`select pg_advisory_xact_lock(${nameLock}, hashtext(${key}))`.execute(tx)
  }
  const other = await takenNames(tx, appId)
    .where(sql<boolean>`app_revision.name_keys && ${keys}`)
    .limit(1)
    .executeTakeFirst()
  if (other !== undefined) throw problem('app_name_taken')
}

/** @throws app_name_taken */
export async function requireDistinctName(database: Database, name: string, appId: string | undefined) {
  const likeness = likenessOf(nameKeys(name), await findSimilarNameKeys(database, name, appId))
  if (likeness === 'same') throw problem('app_name_taken')
  return likeness
}

/**
 * Names that count as taken: live names and those of developers under review or on hold. Drafts and rejected revisions
 * reserve no name, nor do clients that no developer has registered: anyone can publish a document with any name.
 */
function takenNames(database: Database, appId: string | undefined) {
  return database
    .selectFrom('appRevision')
    .innerJoin('app', 'app.id', 'appRevision.appId')
    .select('appRevision.nameKeys')
    .where('app.deletedAt', 'is', null)
    .where(({ eb, or, and, ref, fn }) => {
      const status = fn.coalesce('app.statusBefore', 'app.status')
      return or([
        eb('appRevision.number', '=', ref('app.liveRevision')),
        and([
          eb('appRevision.number', '=', ref('app.draftRevision')),
          eb(status, 'in', ['under_review', 'on_hold']),
          eb('app.registration', '=', 'portal'),
        ]),
      ])
    })
    .$if(appId !== undefined, (names) => names.where('app.id', '!=', appId ?? ''))
}
