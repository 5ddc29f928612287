import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Database, Tx } from '../platform/database/database.ts'
import type { Tables } from '../platform/database/tables.ts'
import { isUuid } from '../platform/database/uuid.ts'
import { problem } from '../platform/http/problem.ts'

export type AppRow = Selectable<Tables['app']>
/** A revision with the type of its app. */
export type RevisionRow = Selectable<Tables['appRevision']> & Pick<AppRow, 'clientType'>

/** An app with its live revision and its draft. At least one of the two exists. */
export type RegisteredApp = { app: AppRow; live: RevisionRow | undefined; draft: RevisionRow | undefined }

/** Find an app of this owner. Deleted apps and other developers' apps are not found, so that ids cannot be probed. */
export async function findOwnApp(
  database: Database,
  appId: string,
  ownerId: string,
): Promise<RegisteredApp | undefined> {
  if (!isUuid(appId)) return undefined
  const app = await ownApps(database, ownerId).where('id', '=', appId).executeTakeFirst()
  return app && withRevisions(database, app)
}

/** Find an app of this owner and lock it until commit. */
export async function lockOwnApp(tx: Tx, appId: string, ownerId: string): Promise<RegisteredApp | undefined> {
  if (!isUuid(appId)) return undefined
  const app = await ownApps(tx, ownerId).where('id', '=', appId).forUpdate().executeTakeFirst()
  return app && withRevisions(tx, app)
}

/** List the owner's apps, oldest first. */
export async function listOwnApps(database: Database, ownerId: string): Promise<RegisteredApp[]> {
  const apps = await ownApps(database, ownerId).orderBy('id').execute()
  if (apps.length === 0) return []
  const revisions = await database
    .selectFrom('appRevision')
    .innerJoin('app', 'app.id', 'appRevision.appId')
    .selectAll('appRevision')
    .where('app.ownerId', '=', ownerId)
    .where('app.deletedAt', 'is', null)
    .where(({ eb, or, ref }) =>
      or([
        eb('appRevision.number', '=', ref('app.liveRevision')),
        eb('appRevision.number', '=', ref('app.draftRevision')),
      ]),
    )
    .execute()
  return apps.map((app) => pair(app, revisions))
}

/** Add the revisions to an app that was found by other means than its owner, such as a review. */
export async function withRevisions(database: Database, app: AppRow): Promise<RegisteredApp> {
  const numbers = [app.liveRevision, app.draftRevision].filter((number) => number !== null)
  const revisions = await database
    .selectFrom('appRevision')
    .selectAll()
    .where('appId', '=', app.id)
    .where('number', 'in', numbers)
    .execute()
  return pair(app, revisions)
}

export const insertApp = (tx: Tx, app: Insertable<Tables['app']>) => tx.insertInto('app').values(app).execute()

export const updateApp = (
  tx: Tx,
  appId: string,
  changes: Omit<Updateable<Tables['app']>, 'id' | 'ownerId'>,
): Promise<AppRow> =>
  tx.updateTable('app').set(changes).where('id', '=', appId).returningAll().executeTakeFirstOrThrow()

const ownApps = (database: Database, ownerId: string) =>
  database.selectFrom('app').selectAll().where('ownerId', '=', ownerId).where('deletedAt', 'is', null)

function pair(app: AppRow, revisions: readonly Selectable<Tables['appRevision']>[]): RegisteredApp {
  const revision = (number: number | null) => {
    const found = revisions.find((candidate) => candidate.appId === app.id && candidate.number === number)
    return found && { ...found, clientType: app.clientType }
  }
  return { app, live: revision(app.liveRevision), draft: revision(app.draftRevision) }
}

/**
 * Require that an app has not changed between the read that a decision is based on and the lock.
 * @throws app_not_found, wrong_app_state
 */
export function requireUnchanged(before: RegisteredApp, locked: RegisteredApp | undefined): RegisteredApp {
  if (locked === undefined) throw problem('app_not_found')
  const unchanged =
    before.app.modifiedAt.getTime() === locked.app.modifiedAt.getTime() &&
    before.app.status === locked.app.status &&
    before.app.liveRevision === locked.app.liveRevision &&
    before.app.draftRevision === locked.app.draftRevision
  if (unchanged) return locked
  throw problem('wrong_app_state', {
    detail: 'This app has just been changed. Read it again, then repeat your change.',
  })
}
