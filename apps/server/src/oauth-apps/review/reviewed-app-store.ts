import type { Language } from '@parley/texts/languages'
import { sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import { clientHostOf } from '../../access/shown-app.ts'
import { decidesAboutApps, runsService } from '../../accounts/account/tenant-store.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { problem } from '../../platform/http/problem.ts'
import { type AppRow, type RegisteredApp, type RevisionRow, withRevisions } from '../app-store.ts'

export type AppOwner = { id: string; name: string; lname: string; email: string; language: Language | '' }

/** An app as reviewers and administrators see it: with the revision that was submitted last. */
type ReviewedApp = RegisteredApp & {
  /** Undefined of clients that no developer has registered. */
  owner: AppOwner | undefined
  reviewed: RevisionRow | undefined
}

/**
 * The number of the revision under review, rejected or on hold; otherwise of the live one. Reviewers do not see drafts
 * that were only saved.
 */
export const reviewedNumber = sql<number | null>`case
  when coalesce(app.status_before, app.status) in ('under_review', 'rejected', 'on_hold')
  then (select max(number) from app_revision where app_id = app.id and submitted_at is not null)
  else app.live_revision end`

/** The apps of one organisation, or of all; others are not found, as with accounts. */
export type AppsScope = { tenantId: string } | 'all'

/**
 * Require a reviewer of the organisation that runs the service: they decide about the apps of all organisations.
 * @throws reviewer_required
 */
export async function requireServiceReviewer(database: Database, caller: Caller): Promise<void> {
  if (!(await decidesAboutApps(database, caller))) throw problem('reviewer_required')
}

/**
 * Find the apps that an administrator may stop: those of their own organisation, or all for the organisation that runs
 * the service.
 */
export const findStoppableScope = async (database: Database, { tenantId }: { tenantId: string }): Promise<AppsScope> =>
  (await runsService(database, tenantId)) ? 'all' : { tenantId }

export async function findReviewedApp(
  database: Database,
  appId: string,
  appsScope: AppsScope,
): Promise<ReviewedApp | undefined> {
  if (!isUuid(appId)) return undefined
  const row = await reviewableApps(database, appsScope).where('app.id', '=', appId).executeTakeFirst()
  return row && withReviewed(database, row)
}

/** Find an app and lock it until commit, so that of two concurrent decisions the second sees the first. */
export async function lockReviewedApp(tx: Tx, appId: string, appsScope: AppsScope): Promise<ReviewedApp | undefined> {
  if (!isUuid(appId)) return undefined
  await tx.selectFrom('app').select('id').where('id', '=', appId).forUpdate().execute()
  return findReviewedApp(tx, appId, appsScope)
}

const reviewableApps = (database: Database, appsScope: AppsScope) =>
  database
    .selectFrom('app')
    .leftJoin('account', 'account.id', 'app.ownerId')
    .selectAll('app')
    .select(['account.name', 'account.lname', 'account.email', 'account.language', reviewedNumber.as('reviewed')])
    .$if(appsScope !== 'all', (apps) =>
      apps.where('account.tenantId', '=', appsScope === 'all' ? '' : appsScope.tenantId),
    )
    .where('app.deletedAt', 'is', null)

type Nullable<Columns> = { [Column in keyof Columns]: Columns[Column] | null }

type Row = AppRow & Nullable<Omit<AppOwner, 'id'>> & { reviewed: number | null }

async function withReviewed(
  database: Database,
  { name, lname, email, language, reviewed, ...app }: Row,
): Promise<ReviewedApp> {
  const registered = await withRevisions(database, app)
  const known = [registered.draft, registered.live].find((revision) => revision?.number === reviewed)
  const owner =
    app.ownerId === null
      ? undefined
      : { id: app.ownerId, name: name ?? '', lname: lname ?? '', email: email ?? '', language: language ?? '' }
  if (known !== undefined || reviewed === null) return { ...registered, owner, reviewed: known }
  const older = await database
    .selectFrom('appRevision')
    .selectAll()
    .where('appId', '=', app.id)
    .where('number', '=', reviewed)
    .executeTakeFirst()
  return { ...registered, owner, reviewed: older && { ...older, clientType: app.clientType } }
}

/** Whether a reviewer may decide about an app: their own only while the service has no other reviewer. */
export async function mayDecide(
  database: Database,
  ownerId: string | null,
  reviewer: { accountId: string; tenantId: string },
): Promise<boolean> {
  if (ownerId !== reviewer.accountId) return true
  const another = await database
    .selectFrom('account')
    .select('id')
    .where('tenantId', '=', reviewer.tenantId)
    .where('reviewer', '=', true)
    .where('disabledAt', 'is', null)
    .where('id', '!=', reviewer.accountId)
    .limit(1)
    .executeTakeFirst()
  return another === undefined
}

type OwnerColumns = {
  ownerId: string | null
  ownerName: string | null
  ownerLname: string | null
  email: string | null
}

/** The owner in a row of a list; undefined where there is none. */
export const ownerOf = ({ ownerId, ownerName, ownerLname, email }: OwnerColumns) =>
  ownerId === null ? undefined : { id: ownerId, name: ownerName ?? '', lname: ownerLname ?? '', email: email ?? '' }

type Identified = {
  app: Pick<AppRow, 'registration' | 'clientId'>
  owner: Omit<AppOwner, 'language'> | undefined
}

/** View who a client belongs to: the developer's account, or the host of the client's own document. */
export const viewRegistration = ({ app, owner }: Identified) => ({
  registration: app.registration,
  ...(owner && { owner: { _id: owner.id, name: owner.name, lname: owner.lname, email: owner.email } }),
  ...clientHostOf(app),
})
