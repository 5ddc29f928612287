import type { AppRegistration, AppStatus, Reason, ReviewSort } from '@parley/contract'
import type { Language } from '@parley/texts/languages'
import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import { clientHostOf } from '../access/shown-app.ts'
import { isOperator, isReviewer } from '../accounts/account/tenant-store.ts'
import type { Cursor } from '../platform/database/cursor.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { sortKey } from '../platform/database/sort-key.ts'
import { isUuid } from '../platform/database/uuid.ts'
import { problem } from '../platform/http/problem.ts'
import type { Random } from '../platform/random.ts'
import { type AppRow, lockApp, type RegisteredApp, type RevisionRow, withRevisions } from './app-store.ts'

/** The apps of one organisation, or of all. Other apps are not found. */
export type AppsScope = { tenantId: string } | 'all'

/**
 * Require a reviewer of the organisation that runs the service, who decides about the apps of all organisations.
 * @throws reviewer_required
 */
export async function requireServiceReviewer(database: Database, caller: Caller): Promise<void> {
  if (!(await isReviewer(database, caller))) throw problem('reviewer_required')
}

/**
 * Find the apps that an administrator may stop: the apps of the administrator's organisation; all apps for the
 * organisation that runs the service.
 */
export const findStoppableScope = async (database: Database, { tenantId }: { tenantId: string }): Promise<AppsScope> =>
  (await isOperator(database, tenantId)) ? 'all' : { tenantId }

/** Whether a reviewer may decide about an app. About an own app, only while the service has no other reviewer. */
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

export type AppOwner = { id: string; name: string; lname: string; email: string; language: Language | '' }

/** An app with the revision that was submitted last, for reviewers and administrators. */
type ReviewedApp = RegisteredApp & {
  /** Undefined for a client that no developer has registered. */
  owner: AppOwner | undefined
  reviewed: RevisionRow | undefined
}

/**
 * The number of the revision under review, rejected or on hold; otherwise of the live one. Reviewers do not see drafts
 * that were only saved.
 */
const reviewedNumber = sql<number | null>`case
  when coalesce(app.status_before, app.status) in ('under_review', 'rejected', 'on_hold')
  then (select max(number) from app_revision where app_id = app.id and submitted_at is not null)
  else app.live_revision end`

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
  await lockApp(tx, appId)
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

/** The registration of a client in replies: its developer's account, or the host of its own document. */
export const toRegistration = ({ app, owner }: Identified) => ({
  registration: app.registration,
  ...(owner && { owner: { _id: owner.id, name: owner.name, lname: owner.lname, email: owner.email } }),
  ...clientHostOf(app),
})

export type SubmittedRow = {
  appId: string
  name: string
  status: AppStatus
  liveRevision: number | null
  revision: number
  submittedAt: Date
  registration: AppRegistration
  clientId: string | null
  ownerId: string | null
  ownerName: string | null
  ownerLname: string | null
  email: string | null
  /** In a list that is sorted by name. */
  sortKey?: string | undefined
}

type QueueStatus = 'under_review' | 'on_hold' | 'all'

/** Query the apps whose submitted revision has this state. */
const submitted = (database: Database, status: QueueStatus) =>
  database
    .selectFrom('app')
    .innerJoin('appRevision as revision', (join) =>
      join.onRef('revision.appId', '=', 'app.id').on('revision.number', '=', reviewedNumber),
    )
    .where('app.deletedAt', 'is', null)
    .where('revision.submittedAt', 'is not', null)
    .$if(status !== 'all', (apps) => apps.where('app.status', '=', status === 'all' ? 'under_review' : status))

export async function countSubmitted(database: Database, status: QueueStatus): Promise<number> {
  const { count } = await submitted(database, status)
    .select((app) => app.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

type QueuePage = { sort: ReviewSort; order: 'asc' | 'desc'; after: Cursor | undefined; limit: number }

/** By what the queue is sorted, besides the time of the submission. */
const keys: Record<ReviewSort, RawBuilder<unknown>> = {
  submittedOn: sql`true`,
  name: sortKey(sql`revision.name`),
  kind: sql`app.live_revision is not null`,
}

/** The key of the last app of the page before, as it was then: it may have been decided about, renamed or deleted. */
const keysOfCursor: Record<ReviewSort, (cursor: Cursor) => RawBuilder<unknown>> = {
  submittedOn: () => sql`true`,
  name: ({ key = '' }) => sql`${key}::text`,
  kind: ({ over = false }) => sql`${over}::boolean`,
}

/**
 * List submitted apps, the longest waiting first unless sorted otherwise. PostgreSQL sorts all that wait: 13,000 of
 * 20,000 apps take about 100 ms in each order.
 */
export function listSubmitted(
  database: Database,
  status: QueueStatus,
  { sort, order, after, limit }: QueuePage,
): Promise<SubmittedRow[]> {
  const direction = sql.raw(order === 'asc' ? '>' : '<')
  const key = keys[sort]
  return submitted(database, status)
    .leftJoin('account', 'account.id', 'app.ownerId')
    .select(['app.id as appId', 'app.status', 'app.liveRevision', 'revision.name', 'revision.number as revision'])
    .select(['app.registration', 'app.clientId', 'app.ownerId'])
    .select((row) => row.ref('revision.submittedAt').$notNull().as('submittedAt'))
    .select(['account.name as ownerName', 'account.lname as ownerLname', 'account.email'])
    .$if(sort === 'name', (apps) => apps.select((key as RawBuilder<string>).as('sortKey')))
    .$if(after !== undefined, (apps) =>
      apps.where(
        sql<boolean>`(${key}, revision.submitted_at, app.id)
          ${direction} (${after && keysOfCursor[sort](after)}, ${after?.at}::timestamptz, ${after?.id}::uuid)`,
      ),
    )
    .$if(sort !== 'submittedOn', (apps) => apps.orderBy(key, order))
    .orderBy('revision.submittedAt', order)
    .orderBy('app.id', order)
    .limit(limit)
    .execute()
}

/** The cursor of the last app of a page. */
export const endOfQueuePage = ({ appId, submittedAt, liveRevision, sortKey: name }: SubmittedRow): Cursor => ({
  at: submittedAt,
  id: appId,
  over: liveRevision !== null,
  ...(name !== undefined && { key: name }),
})

/** What a reviewer reads: a revision, whose fields never change, and its logo, which another submission may replace. */
type ReviewedContent = { appId: string; revision: number }

/** The SHA-256 of a revision's logo, null without one. */
const logoHashOf = ({ appId, revision }: ReviewedContent) =>
  sql<Buffer | null>`(select sha256(bytes) from app_logo where app_id = ${appId} and revision = ${revision})`

/** Record that a reviewer was shown the content. */
export const recordReading = (
  database: Database,
  reviewerId: string,
  { appId, revision }: ReviewedContent,
  now: Date,
) =>
  database
    .insertInto('reviewReading')
    .values({ appId, reviewerId, revision, logoHash: logoHashOf({ appId, revision }), readAt: now })
    .onConflict((conflict) =>
      conflict.columns(['appId', 'reviewerId']).doUpdateSet((change) => ({
        revision: change.ref('excluded.revision'),
        logoHash: change.ref('excluded.logoHash'),
        readAt: change.ref('excluded.readAt'),
      })),
    )
    .execute()

/** Whether the content has changed since the reviewer read it; false if the reviewer never read it. */
export async function isReadingOutdated(
  tx: Tx,
  reviewerId: string,
  { appId, revision }: ReviewedContent,
): Promise<boolean> {
  const reading = await tx
    .selectFrom('reviewReading')
    .select(['revision', sql<boolean>`logo_hash is distinct from ${logoHashOf({ appId, revision })}`.as('otherLogo')])
    .where('appId', '=', appId)
    .where('reviewerId', '=', reviewerId)
    .executeTakeFirst()
  return reading !== undefined && (reading.revision !== revision || reading.otherLogo)
}

type ReviewLine = {
  appId: string
  revision: number
  decision: 'submitted' | 'withdrawn' | 'approved' | 'rejected' | 'on_hold' | 'suspended' | 'resumed'
  reasons: readonly Reason[]
  answer?: string
  /** Null where no person decided: the document has changed, or AGENT_CLIENTS approved the client. */
  decidedBy: string | null
  now: Date
  random: Random
}

/** Add an entry to an app's review history, in the transaction of the change. */
export const insertReviewLine = (tx: Tx, { reasons, now, random, ...line }: ReviewLine) =>
  tx
    .insertInto('appReview')
    .values({ id: random.uuid(now), ...line, reasons: JSON.stringify(reasons), createdAt: now })
    .execute()

/** Find the reasons of the last decision that led to each app's current status. */
export async function findReasons(database: Database, appIds: readonly string[]): Promise<Map<string, Reason[]>> {
  if (appIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('appReview')
    .innerJoin('app', 'app.id', 'appReview.appId')
    .distinctOn('appReview.appId')
    .select(['appReview.appId', 'appReview.reasons'])
    .where('appReview.appId', 'in', appIds)
    .whereRef('appReview.decision', '=', 'app.status')
    .where('app.status', 'in', ['rejected', 'on_hold', 'suspended'])
    .orderBy('appReview.appId')
    .orderBy('appReview.id', 'desc')
    .execute()
  return new Map(rows.map(({ appId, reasons }) => [appId, reasons]))
}

/** More than a person reads about one app. The newest entries are returned. */
const maxHistoryLines = 200

/** Find an app's review history, oldest first. */
export async function findHistory(database: Database, appId: string) {
  const lines = await database
    .selectFrom('appReview')
    .leftJoin('account', 'account.id', 'appReview.decidedBy')
    .select(['appReview.revision', 'appReview.decision', 'appReview.reasons', 'appReview.answer'])
    .select('appReview.createdAt')
    .select(['account.name', 'account.lname'])
    .where('appReview.appId', '=', appId)
    .orderBy('appReview.id', 'desc')
    .limit(maxHistoryLines)
    .execute()
  return lines.toReversed()
}

export const toHistory = (lines: Awaited<ReturnType<typeof findHistory>>) =>
  lines.map(({ name, lname, createdAt, answer, ...line }) => ({
    ...line,
    ...(answer !== '' && { answer }),
    by: `${name ?? ''} ${lname ?? ''}`.trim(),
    createdOn: createdAt.toISOString(),
  }))

/** Enough for a developer's work, and few enough to stop floods: each submission fetches up to a dozen pages. */
const maxSubmissionsPerDay = 200
const dayMs = 24 * 60 * 60 * 1000

export async function hasSubmissionsLeft(database: Database, accountId: string, now: Date): Promise<boolean> {
  const { count } = await database
    .selectFrom('appReview')
    .select((line) => line.fn.countAll<number>().as('count'))
    .where('decidedBy', '=', accountId)
    .where('decision', '=', 'submitted')
    .where('createdAt', '>', new Date(now.getTime() - dayMs))
    .executeTakeFirstOrThrow()
  return count < maxSubmissionsPerDay
}
