import type { RecurrenceRule } from '@parley/rules/recurrence/recurrence'
import type { Cursor } from '../../platform/database/cursor.ts'
import { statement } from '../../platform/database/database.ts'
import type { Database } from '../../tables/tables.ts'
import { type MeetingColumns, type MeetingRow, meetingColumns, meetingRowOf } from '../meeting-row.ts'
import { type Branch, branchesOf, type ListFilter, type ListOwner, matching, Values } from './meeting-list-branches.ts'

export type PageRequest = { order: 'asc' | 'desc'; after: Cursor | undefined; offset: number; limit: number }

/** A meeting, with the start by which it is sorted. */
export type ListedRow = MeetingRow & { listedAt: Date }
export type Page = { rows: ListedRow[]; totalCount: number }

/** A series with an occurrence ahead, and the start by which it is sorted. */
export type SeriesAhead = { id: string; listedAt: Date }

/**
 * Find the meetings of a page, in order, and count all matches of the filter. Running and future meetings are sorted by
 * their next occurrence, which the caller has computed for series; past ones by the last occurrence.
 */
export async function findPage(
  database: Database,
  owner: ListOwner,
  filter: ListFilter,
  page: PageRequest,
  { namesEveryAddress, seriesAhead }: { namesEveryAddress: boolean; seriesAhead: readonly SeriesAhead[] },
): Promise<Page> {
  const values = new Values()
  values.add(namesEveryAddress) // $1 of meetingColumns
  const through = values.add(page.offset + page.limit)
  const [comparison, direction] = page.order === 'asc' ? ['>', ''] : ['<', 'desc']
  const after = page.after && [values.add(page.after.at), values.add(page.after.id)]
  const branches = orderedBranches(owner, filter, values).map(({ branch, listedAt }) => {
    const cursor = after === undefined ? '' : `and (${listedAt}, ${branch.id}) ${comparison} (${after.join(', ')})`
    return `(select ${branch.id} as id, ${listedAt} as listed_at from ${matching(branch)} ${cursor}
      order by ${listedAt} ${direction}, ${branch.id} ${direction} limit ${through})`
  })
  if (filter.past === false) branches.push(aheadOf(firstOf(seriesAhead, page), values))
  // A cheap count is part of the statement; an expensive one runs concurrently on another connection.
  const countsAlong = isPlain(filter)
  const text = `with page as materialized (
      select id, listed_at from (${branches.join(' union all ')}) as listed
      order by listed_at ${direction}, id ${direction}
      limit ${values.add(page.limit)} offset ${values.add(page.offset)}
    ) select ${countsAlong ? countOf(owner, filter, values) : 'null'} as "totalCount",
      page.listed_at as "listedAt", ${meetingColumns}
    from page join meeting m using (id) join account h on h.id = m.host_id
    order by page.listed_at ${direction}, page.id ${direction}`
  const find = statement<MeetingColumns & { totalCount: number | null; listedAt: Date }>('list-meetings', text)
  const [rows, counted] = await Promise.all([
    find(database, values.all),
    countsAlong ? undefined : countMeetings(database, owner, filter),
  ])
  const totalCount = counted ?? rows[0]?.totalCount ?? (await countMeetings(database, owner, filter))
  return { rows: rows.map((row) => ({ ...meetingRowOf(row), listedAt: row.listedAt })), totalCount }
}

/** The branches of a page's statement, with the start by which each is sorted. */
function orderedBranches(owner: ListOwner, filter: ListFilter, values: Values): { branch: Branch; listedAt: string }[] {
  const byStart = (kind?: ListFilter['kind']) =>
    branchesOf(owner, { ...filter, ...(kind !== undefined && { kind }) }, values).map((branch) => ({
      branch,
      listedAt: branch.startsAt,
    }))
  if (filter.past === undefined) return byStart()
  if (!filter.past) return byStart('single')
  // A series is over when its last occurrence is.
  const series = branchesOf(owner, { ...filter, kind: 'series' }, values).map((branch) => ({
    branch,
    listedAt: branch.hosted ? lastStart : `(select ${lastStart} from meeting m where m.id = ${branch.id})`,
  }))
  return [...byStart('single'), ...series]
}

const lastStart = '(m.over_at - (m.ends_at - m.starts_at))'

const aheadOf = (series: readonly SeriesAhead[], values: Values) => {
  const ids = values.add(series.map(({ id }) => id))
  const starts = values.add(series.map(({ listedAt }) => listedAt))
  return `(select * from unnest(${ids}::uuid[], ${starts}::timestamptz[]) as series (id, listed_at))`
}

/** At most a page of series, in its order, from its cursor on. */
function firstOf(all: readonly SeriesAhead[], { order, after, offset, limit }: PageRequest): SeriesAhead[] {
  const sign = order === 'asc' ? 1 : -1
  const compare = (a: SeriesAhead, b: SeriesAhead) =>
    sign * (a.listedAt.getTime() - b.listedAt.getTime() || (a.id < b.id ? -1 : Number(a.id > b.id)))
  const cursor = after && { id: after.id, listedAt: after.at }
  const rest = cursor === undefined ? all : all.filter((series) => compare(series, cursor) > 0)
  return rest.toSorted(compare).slice(0, offset + limit)
}

async function countMeetings(database: Database, owner: ListOwner, filter: ListFilter): Promise<number> {
  const values = new Values()
  const text = `select ${countOf(owner, filter, values)} as total`
  const [row] = await statement<{ total: number }>('count-meetings', text)(database, values.all)
  return row?.total ?? 0
}

/** Count the meetings that match the filter. Without a filter, hosted meetings are summed from a few counter rows. */
function countOf(owner: ListOwner, filter: ListFilter, values: Values): string {
  const counts = branchesOf(owner, filter, values).map((branch) =>
    branch.hosted && isPlain(filter)
      ? `(select coalesce(sum(${countedColumns[filter.status]}), 0) from hosted_meeting_count
          where host_id = ${branch.owner})`
      : `(select count(*) from ${matching(branch)})`,
  )
  return `(${counts.join(' + ')})::bigint`
}

/** Whether the owner's index or counters alone can answer the filter. */
const isPlain = ({ past, from, to, topicPart, madeByApp }: ListFilter) =>
  past === undefined && !from && !to && topicPart === undefined && madeByApp === null

const countedColumns = { active: 'active', cancelled: 'cancelled', all: 'active + cancelled' }

export type SeriesRow = {
  id: string
  code: string
  topic: string
  hostId: string
  cancelledAt: Date | null
  startsAt: Date
  endsAt: Date
  timeZone: string
  rule: RecurrenceRule
  endsBy: Date | null
  excluded: readonly string[]
}

/** The owner's series that may have an occurrence in the range, by their first and last dates; in order of id. */
export async function findSeriesAround(
  database: Database,
  owner: ListOwner,
  filter: ListFilter,
  afterId: string,
  limit: number,
): Promise<SeriesRow[]> {
  const values = new Values()
  const conditions = [`m.id > ${values.add(afterId)}`]
  if (filter.to) conditions.push(`m.starts_at < ${values.add(filter.to)}`)
  // A cancelled series is found by the occurrences that it would have had.
  if (filter.from) conditions.push(`(m.over_at > ${values.add(filter.from)} or m.cancelled_at is not null)`)
  // The range is applied to occurrences later, so it must not filter here.
  const anyTime: ListFilter = { ...filter, kind: 'series', from: undefined, to: undefined }
  const branches = branchesOf(owner, anyTime, values).map((branch) =>
    branch.hosted
      ? `(select m.* from ${matching(branch, conditions)})`
      : `(select * from meeting where id = any(array(select p.meeting_id from ${matching(branch, conditions)})))`,
  )
  const text = `select m.id, m.code, m.topic, m.host_id as "hostId", m.cancelled_at as "cancelledAt", m.starts_at as "startsAt", m.ends_at as "endsAt", m.time_zone_iana as "timeZone",
      m.recurrence as rule, m.ends_by as "endsBy",
      (select coalesce(json_agg(s.starts_at), '[]') from skipped_occurrence s where s.meeting_id = m.id) as excluded
    from (${branches.join(' union all ')}) as m order by m.id limit ${values.add(limit)}`
  return statement<SeriesRow>('list-series', text)(database, values.all)
}
