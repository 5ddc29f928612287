import type { RecurrenceRule } from '@parley/rules/recurrence/recurrence'
import { sql } from 'kysely'
import type { Cursor } from '../../platform/database/cursor.ts'
import type { Database } from '../../platform/database/database.ts'
import {
  defineStatement,
  defineStatementVariants,
  type Fragment,
  type Parameter,
  type RowOf,
} from '../../platform/database/define-statement.ts'
import { pick, tables, typed } from '../../platform/database/tables.ts'
import { briefExceptionsJson, type ExceptionsRange, exceptionsType } from '../exception-store.ts'
import { type MeetingRow, meetingColumns, meetingRowOf, meetingTypes } from '../meeting-row.ts'
import {
  addedMeetings,
  type Branch,
  branchesOf,
  type ListFilter,
  type ListOwner,
  type ListParameters,
  type ListVariant,
  listDimensions,
  listParameters,
  listValuesOf,
  matching,
  variantOf,
} from './meeting-list-branches.ts'

export type PageRequest = { order: 'asc' | 'desc'; after: Cursor | undefined; offset: number; limit: number }

/** A meeting, with the start by which it is sorted. */
type ListedRow = MeetingRow & { listedAt: Date }
export type MeetingListPage = {
  rows: ListedRow[]
  totalCount: number
  /** Whether the page ends before its limit, because more would be too large. */
  isCut: boolean
}

/**
 * A page ends with the meeting that reaches this size, which takes about ten milliseconds of the thread. A hundred
 * meetings with a thousand participants each took 22 MB and three seconds.
 */
const maxPageBytes = 1024 * 1024
/** What a participant takes in a reply, by measurement. */
const participantBytes = 220

/** A series with an occurrence ahead, and the start by which it is sorted. */
export type SeriesAhead = { id: string; listedAt: Date }

const addedAs = sql`added`

const listStatement = defineStatementVariants({
  name: 'list-meetings',
  dimensions: {
    ...listDimensions,
    order: ['asc', 'desc'],
    hasCursor: [false, true],
    counts: ['none', 'page', 'whole'],
  },
  parameters: {
    ...listParameters,
    limit: 'bigint',
    offset: 'bigint',
    /** `limit` and `offset` together. */
    through: 'bigint',
    afterStart: 'timestamptz?',
    afterId: 'uuid?',
    aheadIds: 'uuid[]',
    aheadStarts: 'timestamptz[]',
  },
  columns: { totalCount: 'bigint?', pageRows: 'bigint', listedAt: 'timestamptz', ...meetingTypes },
  text: (p, variant) => {
    const isAscending = variant.order === 'asc'
    const direction = isAscending ? sql`asc` : sql`desc`
    const cursorOf = (listedAt: Fragment, id: Fragment) =>
      sql`and (${listedAt}, ${id}) ${isAscending ? sql`>` : sql`<`} (${p.afterStart}, ${p.afterId})`
    const counted = { ...variant, ...(variant.counts === 'whole' && { past: undefined }), addedAs }
    const total = variant.counts === 'none' ? sql`null::bigint` : countOf(p, counted)
    const branches = orderedBranches(p, variant).map(
      ({ branch, listedAt }) => sql`(select ${branch.id} as id, ${listedAt} as listed_at
      from ${matching(branch)} ${variant.hasCursor ? cursorOf(listedAt, branch.id) : sql``}
      order by ${listedAt} ${direction}, ${branch.id} ${direction} limit ${p.through})`,
    )
    if (variant.past !== true) {
      branches.push(sql`(select * from unnest(${p.aheadIds}, ${p.aheadStarts}) as series (id, listed_at))`)
    }
    return sql`with added as materialized ${addedMeetings(p)}, page as materialized (
      select id, listed_at from (${sql.join(branches, sql` union all `)}) as listed
      order by listed_at ${direction}, id ${direction}
      limit ${p.limit} offset ${p.offset}
    ), sized as (
      select page.id, page.listed_at, sum(
          octet_length(m.description) + ${sql.lit(participantBytes)} *
            (select count(*) from participant where meeting_id = page.id)
        ) over (
          order by page.listed_at ${direction}, page.id ${direction} rows between unbounded preceding and 1 preceding
        ) as bytes_before
      from page join meeting m using (id)
    ) select ${total} as total_count, (select count(*) from page) as page_rows, page.listed_at, ${meetingColumns(p)}
    from sized as page join meeting m using (id) join account h on h.id = m.host_id
    where page.bytes_before is null or page.bytes_before < ${sql.lit(maxPageBytes)}
    order by page.listed_at ${direction}, page.id ${direction}`
  },
})

type PageDetails = {
  namesEveryAddress: boolean
  seriesAhead: readonly SeriesAhead[]
  /** The filter whose matches are counted: that of the page, or of the list that it is a part of. */
  counted: ListFilter
}

/**
 * Find the meetings of a page, in order, and count all matches of a filter. Running and future meetings are sorted by
 * their next occurrence, which the caller has computed for series, and past ones by their last occurrence.
 */
export async function findPage(
  database: Database,
  owner: ListOwner,
  filter: ListFilter,
  page: PageRequest,
  { namesEveryAddress, seriesAhead, counted: ofTotal }: PageDetails,
): Promise<MeetingListPage> {
  const { order, after, offset, limit } = page
  const variant = variantOf(owner, filter)
  const ahead = firstOf(seriesAhead, page)
  const isWhole = ofTotal.past === filter.past
  // A cheap count is part of the statement; an expensive one runs concurrently on another connection.
  const counts = isPlain(variantOf(owner, ofTotal)) ? (isWhole ? 'page' : 'whole') : 'none'
  const [rows, counted] = await Promise.all([
    listStatement({ ...variant, order, hasCursor: after !== undefined, counts }).execute(database, {
      ...listValuesOf(owner, filter),
      namesEveryAddress,
      limit,
      offset,
      through: offset + limit,
      afterStart: after?.at ?? null,
      afterId: after?.id ?? null,
      aheadIds: ahead.map(({ id }) => id),
      aheadStarts: ahead.map(({ listedAt }) => listedAt),
    }),
    counts === 'none' ? countMeetings(database, owner, ofTotal) : undefined,
  ])
  const totalCount = counted ?? rows[0]?.totalCount ?? (await countMeetings(database, owner, ofTotal))
  return {
    rows: rows.map((row) => ({ ...meetingRowOf(row), listedAt: row.listedAt })),
    totalCount,
    isCut: (rows[0]?.pageRows ?? 0) > rows.length,
  }
}

/** The branches of a page's statement, with the start by which each is sorted; series ahead are not among them. */
function orderedBranches(p: ListParameters, variant: ListVariant): { branch: Branch; listedAt: Fragment }[] {
  const singles = branchesOf(p, { ...variant, kind: 'single', addedAs })
  if (variant.past === false) return singles.map((branch) => ({ branch, listedAt: branch.startsAt }))
  // The host's index has the order of both kinds; an invitation holds the first start alone.
  const hosted = branchesOf(p, { ...variant, addedAs }).filter((branch) => branch.hosted)
  const seriesOver = branchesOf(p, { ...variant, kind: 'series', past: true, addedAs }).filter(
    (branch) => !branch.hosted,
  )
  return [
    ...hosted.map((branch) => ({
      branch: { ...branch, conditions: [...branch.conditions, sql`not (m.recurring and m.over_at > ${p.now})`] },
      listedAt: branch.lastStartsAt,
    })),
    ...singles.filter((branch) => !branch.hosted).map((branch) => ({ branch, listedAt: branch.startsAt })),
    ...seriesOver.map((branch) => ({ branch, listedAt: branch.lastStartsAt })),
  ]
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

const countStatement = defineStatementVariants({
  name: 'count-meetings',
  dimensions: listDimensions,
  parameters: listParameters,
  columns: { total: 'bigint' },
  text: (p, variant) => sql`select ${countOf(p, variant)} as total`,
})

export async function countMeetings(database: Database, owner: ListOwner, filter: ListFilter): Promise<number> {
  const statement = countStatement(variantOf(owner, filter))
  const [row] = await statement.execute(database, listValuesOf(owner, filter))
  return row?.total ?? 0
}

/** Count the meetings that match the filter. Without a filter, hosted meetings are summed from a few counter rows. */
function countOf(p: ListParameters, variant: ListVariant & { addedAs?: Fragment }): Fragment {
  // Single meetings ahead are found by their start, series by the index of series.
  const parts = variant.past === false ? (['single', 'series'] as const) : [undefined]
  const branches = parts.flatMap((kind) => branchesOf(p, { ...variant, ...(kind && { kind }) }))
  const counts = branches.map((branch) =>
    branch.hosted && isPlain(variant)
      ? sql`(select coalesce(sum(${countedColumns[variant.status]}), 0) from hosted_meeting_count
          where host_id = ${p.accountId})${variant.status === 'active' ? sql` + ${runningOfCancelled(p)}` : sql``}`
      : sql`(select count(*) from ${matching(branch)})`,
  )
  return sql`(${sql.join(counts, sql` + `)})::bigint`
}

/** The hosted series that were cancelled while a date was running, which is not over: they are listed as active too. */
const runningOfCancelled = (p: ListParameters) => sql`(select count(*) from meeting
  where host_id = ${p.accountId} and recurring and cancelled_at is not null and over_at > ${p.now})`

/** Whether the owner's index or counters alone can answer the filter. */
const isPlain = ({ role, past, hasFrom, hasTo, searches, isOfApp }: ListVariant) =>
  role !== 'unanswered' && past === undefined && !hasFrom && !hasTo && searches === 'nothing' && !isOfApp

const countedColumns = { active: sql`active`, cancelled: sql`cancelled`, all: sql`active + cancelled` }

const seriesTypes = {
  ...pick(tables.meeting, 'id', 'code', 'topic', 'hostId', 'cancelledAt', 'startsAt', 'endsAt', 'timeZone', 'endsBy'),
  ...pick(tables.meeting, 'version', 'modifiedAt'),
  rule: typed<RecurrenceRule>('jsonb'),
  isAhead: 'boolean',
  exceptions: exceptionsType,
} as const

export type SeriesRow = RowOf<typeof seriesTypes>

const seriesColumns = (p: { now: Parameter }, exceptions: ExceptionsRange) => sql`m.id, m.code, m.topic, m.host_id,
  m.cancelled_at, m.starts_at, m.ends_at, m.time_zone_iana as time_zone, m.recurrence as rule, m.version, m.modified_at,
  m.ends_by, m.over_at > ${p.now} as is_ahead, ${briefExceptionsJson(sql`m.id`, exceptions)} as exceptions`

/** The series of the branches of a list, as a table expression of the columns `columns`. */
function seriesOf(
  p: ListParameters,
  variant: ListVariant,
  columns: Fragment,
  conditions: readonly Fragment[] = [],
): Fragment {
  const branches = branchesOf(p, { ...variant, kind: 'series' }).map((branch) =>
    branch.hosted
      ? sql`(select ${columns} from ${matching(branch, conditions)})`
      : sql`(select ${columns} from meeting m where id = any(array(
          select p.meeting_id from ${matching(branch, conditions)})))`,
  )
  return sql`(${sql.join(branches, sql` union all `)})`
}

const seriesStatement = defineStatementVariants({
  name: 'list-series',
  dimensions: listDimensions,
  parameters: { ...listParameters, afterId: 'uuid', limit: 'bigint' },
  columns: seriesTypes,
  text: (p, { hasFrom, hasTo, ...variant }) => {
    const conditions = [sql`m.id > ${p.afterId}`]
    if (hasTo) conditions.push(sql`m.starts_at < ${p.to}`)
    // A cancelled series is found by the occurrences that it would have had.
    if (hasFrom) conditions.push(sql`(m.over_at > ${p.from} or m.cancelled_at is not null)`)
    // The range is applied to occurrences later, so it must not filter here.
    const series = seriesOf(p, { ...variant, hasFrom: false, hasTo: false }, sql`m.*`, conditions)
    const range = { ...(hasFrom && { after: sql`${p.from}` }), ...(hasTo && { before: sql`${p.to}` }) }
    return sql`select ${seriesColumns(p, range)} from ${series} as m order by m.id limit ${p.limit}`
  },
})

/** The owner's series that may have an occurrence in the range, by their first and last dates; in order of id. */
export const findSeriesAround = (
  database: Database,
  owner: ListOwner,
  filter: ListFilter,
  afterId: string,
  limit: number,
): Promise<SeriesRow[]> =>
  seriesStatement(variantOf(owner, filter)).execute(database, { ...listValuesOf(owner, filter), afterId, limit })

const seriesVersionTypes = pick(tables.meeting, 'id', 'version', 'modifiedAt')

/** What identifies the state of a series: every change of its dates gives it another version. */
export type SeriesVersion = RowOf<typeof seriesVersionTypes>

const seriesAheadStatement = defineStatementVariants({
  name: 'list-series-ahead',
  dimensions: { ...listDimensions, past: [false], hasFrom: [false], hasTo: [false] },
  parameters: { ...listParameters, afterId: 'uuid', limit: 'bigint' },
  columns: seriesVersionTypes,
  text: (
    p,
    variant,
  ) => sql`select * from ${seriesOf(p, variant, sql`m.id, m.version, m.modified_at`, [sql`m.id > ${p.afterId}`])}
    as m order by m.id limit ${p.limit}`,
})

/** The versions of the owner's series that are not over, whatever the times of the filter; in order of id. */
export const listSeriesAhead = (
  database: Database,
  owner: ListOwner,
  filter: ListFilter,
  afterId: string,
  limit: number,
): Promise<SeriesVersion[]> => {
  const variant = { ...variantOf(owner, filter), past: false, hasFrom: false, hasTo: false } as const
  return seriesAheadStatement(variant).execute(database, { ...listValuesOf(owner, filter), afterId, limit })
}

/**
 * The next occurrence of nearly every series is within two months, so that exceptions after these are read only for the
 * other series (`findExceptionsOf`).
 */
export const aheadHorizonMs = 60 * 24 * 60 * 60 * 1000

const findSeriesStatement = defineStatement({
  name: 'find-series',
  parameters: { ids: 'uuid[]', now: 'timestamptz' },
  columns: seriesTypes,
  text: (p) => {
    const before = sql`${p.now} + ${sql.lit(`${aheadHorizonMs} milliseconds`)}::interval`
    return sql`select ${seriesColumns(p, { after: sql`${p.now}`, before })} from meeting m where m.id = any(${p.ids})`
  },
})

/** Find series with their exceptions from `now` to `aheadHorizonMs` later. */
export const findSeries = (database: Database, ids: readonly string[], now: Date): Promise<SeriesRow[]> =>
  findSeriesStatement.execute(database, { ids, now })
