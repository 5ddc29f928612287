import type { AdministeredAppSort, AppRegistration, AppStatus } from '@parley/contract'
import { type RawBuilder, sql } from 'kysely'
import { sqlOwnerActive } from '../access/credentials/live-grant.ts'
import type { Cursor } from '../platform/database/cursor.ts'
import type { Database } from '../platform/database/database.ts'
import { sortKey } from '../platform/database/sort-key.ts'
import { type AppsScope, ownerOf, toRegistration } from './review-store.ts'

type AppFilter = { appsScope: AppsScope; q: string; suspended: boolean | undefined; now: Date }

/** Count the apps that the filter finds. */
export async function countAdministeredApps(database: Database, filter: AppFilter): Promise<number> {
  const { count } = await administeredApps(database, filter)
    .select((app) => app.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

type AppPage = { sort: AdministeredAppSort; order: 'asc' | 'desc'; after: Cursor | undefined; limit: number }

/** The order of the list by status. */
const ranked: readonly AppStatus[] = ['under_review', 'on_hold', 'rejected', 'draft', 'approved', 'suspended']

/** By what a list is sorted, besides the id, which is in order of time. */
const keys: Record<AdministeredAppSort, RawBuilder<unknown>> = {
  createdOn: sql`p.id`,
  name: sortKey(sql`coalesce(live.name, draft.name, '')`),
  owner: sortKey(sql`coalesce(nullif(trim(o.name || ' ' || o.lname), ''), o.email, '')`),
  status: sql`array_position(${[...ranked]}::text[], p.status)`,
  modifiedOn: sql`p.modified_at`,
}

const isByText = (sort: AdministeredAppSort) => sort === 'name' || sort === 'owner'

/** The key of the last app of the page before, as it was then: a change of that app leaves none out of the next page. */
function keyOfCursor(sort: AdministeredAppSort, { id, at, rank = 0, key = '' }: Cursor) {
  if (sort === 'createdOn') return sql`${id}::uuid`
  if (sort === 'modifiedOn') return sql`${at}::timestamptz`
  return sort === 'status' ? sql`${rank}::integer` : sql`${key}::text`
}

/**
 * List a page of the apps that the filter finds. PostgreSQL sorts all apps of the scope. On a busy machine with two
 * cores, 20,000 apps take 24 to 165 ms by time or status, up to 500 ms by owner, and up to 1.5 s by name. No index has to
 * follow each change of an app.
 */
export const listAdministeredRows = (database: Database, filter: AppFilter, { sort, order, after, limit }: AppPage) => {
  const direction = sql.raw(order === 'asc' ? '>' : '<')
  return selectAdministeredApps(database, filter)
    .$if(isByText(sort), (apps) => apps.select((keys[sort] as RawBuilder<string>).as('sortKey')))
    .$if(after !== undefined, (apps) =>
      apps.where(
        sql<boolean>`(${keys[sort]}, p.id) ${direction} (${after && keyOfCursor(sort, after)}, ${after?.id}::uuid)`,
      ),
    )
    .orderBy(keys[sort], order)
    .orderBy('p.id', order)
    .limit(limit)
    .execute()
}

export const findAdministeredRow = (database: Database, filter: Pick<AppFilter, 'appsScope' | 'now'>, appId: string) =>
  selectAdministeredApps(database, { ...filter, q: '', suspended: undefined })
    .where('p.id', '=', appId)
    .executeTakeFirst()

/** Query the apps of a scope with their owners and revisions. */
const appsIn = (database: Database, appsScope: AppsScope) =>
  database
    .selectFrom('app as p')
    .leftJoin('account as o', 'o.id', 'p.ownerId')
    .leftJoin('appRevision as live', (join) =>
      join.onRef('live.appId', '=', 'p.id').onRef('live.number', '=', 'p.liveRevision'),
    )
    .leftJoin('appRevision as draft', (join) =>
      join.onRef('draft.appId', '=', 'p.id').onRef('draft.number', '=', 'p.draftRevision'),
    )
    .$if(appsScope !== 'all', (apps) => apps.where('o.tenantId', '=', appsScope === 'all' ? '' : appsScope.tenantId))

/** Query the apps that were ever submitted; an app that never was has no users to protect. */
function administeredApps(database: Database, { appsScope, q, suspended }: Omit<AppFilter, 'now'>) {
  const words = q.trim()
  const pattern = `%${words.replace(/[\\%_]/g, '\\$&')}%`
  return appsIn(database, appsScope)
    .where('p.submittedAt', 'is not', null)
    .where('p.deletedAt', 'is', null)
    .$if(suspended !== undefined, (apps) => apps.where('p.status', suspended ? '=' : '!=', 'suspended'))
    .$if(words !== '', (apps) =>
      apps.where(
        sql<boolean>`(live.name ilike ${pattern} or draft.name ilike ${pattern}
          or o.name || ' ' || o.lname || ' ' || o.email ilike ${pattern}
          or p.registration = 'metadata_document' and p.client_id ilike ${pattern}
          or p.client_id = ${words} or p.sandbox_client_id = ${words})`,
      ),
    )
}

/** Select the columns of the list; `connectedPeople` counts the live grants outside the sandbox. */
const selectAdministeredApps = (database: Database, filter: AppFilter) =>
  administeredApps(database, filter)
    .select(['p.id', 'p.status', 'p.liveRevision', 'p.createdAt', 'p.modifiedAt'])
    .select(['live.name as liveName', 'draft.name as draftName'])
    .select(['p.registration', 'p.clientId', 'p.ownerId', 'o.name as ownerName', 'o.lname as ownerLname', 'o.email'])
    .select(sql<boolean>`${sqlOwnerActive}`.as('ownerActive'))
    .select((app) =>
      app
        .selectFrom('appGrant as g')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('g.appId', '=', 'p.id')
        .where('g.sandbox', '=', false)
        .where('g.revokedAt', 'is', null)
        .where('g.expiresAt', '>', filter.now)
        .as('connectedPeople'),
    )

type AdministeredRow = {
  id: string
  status: AppStatus
  liveRevision: number | null
  liveName: string | null
  draftName: string | null
  registration: AppRegistration
  clientId: string | null
  ownerId: string | null
  ownerName: string | null
  ownerLname: string | null
  email: string | null
  ownerActive: boolean
  connectedPeople: number | null
  modifiedAt: Date
}

export const toAdministeredApp = (row: AdministeredRow) => ({
  _id: row.id,
  name: row.liveName ?? row.draftName ?? '',
  draftName: row.liveName !== null && row.draftName !== row.liveName ? row.draftName : null,
  status: row.status,
  // An app whose owner may not have apps behaves like a suspended one.
  isLive: row.liveRevision !== null && row.status !== 'suspended' && row.ownerActive,
  ...toRegistration({ app: row, owner: ownerOf(row) }),
  connectedPeople: row.connectedPeople ?? 0,
  modifiedOn: row.modifiedAt.toISOString(),
})

type LastRow = Pick<AdministeredRow, 'id' | 'status' | 'modifiedAt'> & {
  createdAt: Date
  sortKey?: string | undefined
}

/** The cursor of the last app of a page. */
export const endOfAppPage = (
  { id, status, createdAt, modifiedAt, sortKey: key }: LastRow,
  sort: AdministeredAppSort,
): Cursor => ({
  id,
  at: sort === 'modifiedOn' ? modifiedAt : createdAt,
  ...(sort === 'status' && { rank: ranked.indexOf(status) + 1 }),
  ...(key !== undefined && { key }),
})
