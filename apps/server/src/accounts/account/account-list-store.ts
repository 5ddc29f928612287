import type { AccountKind, AccountSort } from '@parley/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Cursor } from '../../platform/database/cursor.ts'
import type { Database } from '../../platform/database/database.ts'
import { sortKey } from '../../platform/database/sort-key.ts'

type AccountFilter = {
  tenantId: string
  /** Part of the name or the address; empty for all. */
  words: string
  only: AccountKind | undefined
  /** Addresses need no confirmation. */
  trustsEvery: boolean
}

type Page = { sort: AccountSort; order: 'asc' | 'desc'; after: Cursor | undefined; limit: number }

/** Query the matching accounts of one organisation. */
function matching(database: Database, { tenantId, words, only, trustsEvery }: AccountFilter) {
  let accounts = database.selectFrom('account as a').where('a.tenantId', '=', tenantId).where('a.deletedAt', 'is', null)
  if (words !== '') {
    const pattern = `%${words.replace(/[\\%_]/g, '\\$&')}%`
    accounts = accounts.where(sql<boolean>`a.name || ' ' || a.lname || ' ' || a.email ilike ${pattern}`)
  }
  if (only === 'admin') accounts = accounts.where('a.administrator', '=', true)
  if (only === 'reviewer') accounts = accounts.where('a.reviewer', '=', true)
  if (only === 'oauthEnabled') accounts = accounts.where('a.oauthEnabled', '=', true)
  if (only === 'disabled') accounts = accounts.where('a.disabledAt', 'is not', null)
  if (only === 'unconfirmed')
    accounts = accounts.where('a.emailVerifiedAt', 'is', null).$if(trustsEvery, (all) => all.where(sql.lit(false)))
  return accounts
}

export async function countAccounts(database: Database, filter: AccountFilter): Promise<number> {
  const { count } = await matching(database, filter)
    .select((account) => account.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** The name of a person, or the address of one without a name. */
const nameKey = (alias: string) => {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sortKey(sql`coalesce(nullif(trim(${column('name')} || ' ' || ${column('lname')}), ''), ${column('email')})`)
}

/** Of `meetings`, which counts the meetings of each host by shards. */
const meetingsOf = (id: RawBuilder<unknown>) =>
  sql<number>`(select coalesce(sum(h.active), 0)::integer from hosted_meeting_count h where h.host_id = ${id})`

/** Accounts that were never seen are before all others. */
const neverSeen = new Date(0)

/** By what a list is sorted, besides the id. */
const keys: Record<AccountSort, (alias: string) => RawBuilder<unknown>> = {
  createdOn: (alias) => sql.ref(`${alias}.id`),
  name: nameKey,
  lastSeenOn: (alias) => sql`coalesce(${sql.ref(`${alias}.lastSeenAt`)}, ${neverSeen})`,
  meetings: (alias) => meetingsOf(sql.ref(`${alias}.id`)),
}

/** The key of the last account of the page before, as it was then: the account may be renamed or deleted since. */
function keyOfCursor(sort: AccountSort, { id, at, rank = 0, key = '' }: Cursor) {
  if (sort === 'createdOn') return sql`${id}::uuid`
  if (sort === 'lastSeenOn') return sql`${at}::timestamptz`
  return sort === 'meetings' ? sql`${rank}::integer` : sql`${key}::text`
}

/**
 * List a page of accounts. PostgreSQL sorts all accounts of the organisation. On a busy machine with two cores, 20,000
 * accounts with 80,000 shards of counts take 2 ms by age, 75 ms by name, 130 ms by last seen and 430 ms by meetings, so
 * no index has to follow each change of a name or of a meeting.
 */
export const listAccountRows = (database: Database, filter: AccountFilter, { sort, order, after, limit }: Page) => {
  const key = keys[sort]('a')
  const direction = sql.raw(order === 'asc' ? '>' : '<')
  return matching(database, filter)
    .selectAll('a')
    .select(meetingsOf(sql`a.id`).as('meetings'))
    .$if(sort === 'name', (accounts) => accounts.select((key as RawBuilder<string>).as('sortKey')))
    .$if(after !== undefined, (accounts) =>
      accounts.where(
        sql<boolean>`(${key}, a.id) ${direction} (${after && keyOfCursor(sort, after)}, ${after?.id}::uuid)`,
      ),
    )
    .orderBy(key, order)
    .orderBy('a.id', order)
    .limit(limit)
    .execute()
}

/** The cursor of the last account of a page. */
export const endOfPage = (
  { id, createdAt, lastSeenAt, meetings, sortKey: key }: LastRow,
  sort: AccountSort,
): Cursor => ({
  id,
  at: sort === 'lastSeenOn' ? (lastSeenAt ?? neverSeen) : createdAt,
  ...(sort === 'meetings' && { rank: meetings }),
  ...(key !== undefined && { key }),
})

type LastRow = { id: string; createdAt: Date; lastSeenAt: Date | null; meetings: number; sortKey?: string | undefined }
