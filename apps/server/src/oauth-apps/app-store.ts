import type { CheckResult, Scope, UseCase } from '@parley/contract'
import type { AppFields } from '@parley/rules/oauth-apps/app-fields'
import { likenessOf, nameKeys } from '@parley/rules/oauth-apps/look-alike-names'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Database, Tx } from '../platform/database/database.ts'
import type { Tables } from '../platform/database/tables.ts'
import { isUuid } from '../platform/database/uuid.ts'
import { problem } from '../platform/http/problem.ts'
import type { OwnerIdentity } from './owner-identity.ts'
import type { PageFindings } from './page-checks.ts'

export type AppRow = Selectable<Tables['app']>
/** A revision with the type of its app. */
export type RevisionRow = Selectable<Tables['appRevision']> & Pick<AppRow, 'clientType'>

/** An app with its live revision and its draft. At least one of the two exists. */
export type RegisteredApp = { app: AppRow; live: RevisionRow | undefined; draft: RevisionRow | undefined }

/** The draft if there is one, else the live revision. */
export function newestRevision({ app, live, draft }: RegisteredApp): RevisionRow {
  const revision = draft ?? live
  if (revision === undefined) throw new Error(`The app ${app.id} has no revision.`)
  return revision
}

export type RegisteredFields = AppFields<UseCase, Scope>

export const fieldsOf = (row: RevisionRow): RegisteredFields => ({
  name: row.name,
  homepageUrl: row.homepageUrl,
  policyUrl: row.policyUrl,
  logoUrl: row.logoUrl,
  useCase: row.useCase,
  description: row.description,
  callbackUrls: row.callbackUrls,
  embedOrigins: row.embedOrigins,
  scopes: row.scopes,
  clientType: row.clientType,
  requirePkce: row.requirePkce,
  sendIss: row.sendIss,
})

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

/** Find an app of this owner. @throws app_not_found */
export async function requireOwnApp(database: Database, appId: string, ownerId: string): Promise<RegisteredApp> {
  const found = await findOwnApp(database, appId, ownerId)
  if (found === undefined) throw problem('app_not_found')
  return found
}

/** Find an app of this owner and lock it until commit. */
export async function lockOwnApp(tx: Tx, appId: string, ownerId: string): Promise<RegisteredApp | undefined> {
  if (!isUuid(appId)) return undefined
  const app = await ownApps(tx, ownerId).where('id', '=', appId).forUpdate().executeTakeFirst()
  return app && withRevisions(tx, app)
}

/** Lock an app of this owner until commit. @throws app_not_found */
export async function requireOwnAppForUpdate(tx: Tx, appId: string, ownerId: string): Promise<RegisteredApp> {
  const locked = await lockOwnApp(tx, appId, ownerId)
  if (locked === undefined) throw problem('app_not_found')
  return locked
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

/** Lock the row of an app of any owner until commit. */
export async function lockApp(tx: Tx, appId: string): Promise<void> {
  if (isUuid(appId)) await tx.selectFrom('app').select('id').where('id', '=', appId).forUpdate().execute()
}

export async function countOwnApps(database: Database, ownerId: string): Promise<number> {
  const { count } = await database
    .selectFrom('app')
    .select((app) => app.fn.countAll<number>().as('count'))
    .where('ownerId', '=', ownerId)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
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
 * @throws wrong_app_state
 */
export function requireUnchanged(before: RegisteredApp, locked: RegisteredApp): RegisteredApp {
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

/** Insert a revision with the next number. The app's row must be locked. */
export async function insertRevision(
  tx: Tx,
  appId: string,
  { fields, owner, now }: { fields: RegisteredFields; owner: OwnerIdentity | undefined; now: Date },
): Promise<number> {
  const { last } = await tx
    .selectFrom('appRevision')
    .select((revision) => revision.fn.max('number').as('last'))
    .where('appId', '=', appId)
    .executeTakeFirstOrThrow()
  const number = (last ?? 0) + 1
  const values = { appId, number, ...columnsOf(fields), ...(owner && ownerColumns(owner)) }
  await tx
    .insertInto('appRevision')
    .values({ ...values, submittedAt: null, createdAt: now })
    .execute()
  return number
}

/** The type of the client is the app's, not the revision's. */
const columnsOf = ({ clientType: _, ...fields }: RegisteredFields) => ({ ...fields, nameKeys: nameKeys(fields.name) })

const ownerColumns = ({ name, organisation }: OwnerIdentity) => ({ ownerName: name, ownerOrganisation: organisation })

/** Update a revision that was never submitted, or whose change needs no review; then its owner stays as reviewed. */
export const updateRevision = (
  tx: Tx,
  appId: string,
  number: number,
  { fields, owner }: { fields: RegisteredFields; owner?: OwnerIdentity },
) =>
  tx
    .updateTable('appRevision')
    .set({ ...columnsOf(fields), ...(owner && ownerColumns(owner)) })
    .where('appId', '=', appId)
    .where('number', '=', number)
    .execute()

/** Delete a draft that was never submitted; submitted ones are history. */
export const deleteUnsubmittedRevision = (tx: Tx, appId: string, number: number) =>
  tx
    .deleteFrom('appRevision')
    .where('appId', '=', appId)
    .where('number', '=', number)
    .where('submittedAt', 'is', null)
    .execute()

/** A client that no developer has registered has no owner. */
type Findings = PageFindings & { owner?: OwnerIdentity }

/** Mark a revision as submitted, with its owner and the results of the pre-checks, replacing earlier ones. */
export async function recordFindings(
  tx: Tx,
  appId: string,
  number: number,
  { checks, logo, owner }: Findings,
  now: Date,
) {
  await tx
    .updateTable('appRevision')
    .set({ submittedAt: now, ...(owner && ownerColumns(owner)) })
    .where('appId', '=', appId)
    .where('number', '=', number)
    .execute()
  await tx.deleteFrom('appCheck').where('appId', '=', appId).where('revision', '=', number).execute()
  if (checks.length > 0) {
    const rows = checks.map((check, position) => ({ appId, revision: number, position, ...check }))
    await tx.insertInto('appCheck').values(rows).execute()
  }
  await tx.deleteFrom('appLogo').where('appId', '=', appId).where('revision', '=', number).execute()
  if (logo !== undefined) {
    await tx
      .insertInto('appLogo')
      .values({ appId, revision: number, ...logo })
      .execute()
  }
}

export const findChecks = (database: Database, appId: string, number: number): Promise<CheckResult[]> =>
  database
    .selectFrom('appCheck')
    .select(['check', 'field', 'result', 'message'])
    .where('appId', '=', appId)
    .where('revision', '=', number)
    .orderBy('position')
    .execute()

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
