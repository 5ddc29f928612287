import { longestMeetingMs } from '@parley/rules/meeting-times'
import type { RecurrenceRule } from '@parley/rules/recurrence'
import type { Database } from '../../migrations/tables.ts'
import type { Cursor } from '../platform/cursor.ts'
import { statement } from '../platform/database.ts'
import { type MeetingColumns, type MeetingRow, meetingColumns, meetingRowOf } from './meeting-row.ts'

/** Whose list it is. */
export type ListOwner = {
  accountId: string
  /** Null while it is not confirmed. */
  addressKey: string | null
  /** An administrator sees of a colleague's list what their own organisation hosts; null for one's own list. */
  onlyOfTenant: string | null
}

export type ListFilter = {
  role: 'host' | 'participant' | 'all'
  status: 'active' | 'cancelled' | 'all'
  /** With the moment that divides over from running or ahead. */
  past: boolean | undefined
  now: Date
  from: Date | undefined
  to: Date | undefined
  /** The series that have an occurrence in the range; the store knows only the times of single meetings. */
  seriesInRange: readonly string[]
  topicPart: string | undefined
  /** Null for meetings of whatever making. */
  madeByApp: string | null
}

export type PageRequest = { order: 'asc' | 'desc'; after: Cursor | undefined; offset: number; limit: number }

/** Collects a statement's values as its text is put together: text never holds what somebody sent. */
class Values {
  readonly all: unknown[] = []
  add(value: unknown): string {
    return `$${this.all.push(value)}`
  }
}

/** The meetings of a page, in order, with all that their view needs. */
export async function findPage(
  database: Database,
  owner: ListOwner,
  filter: ListFilter,
  page: PageRequest,
  everyAddressConfirmed: boolean,
): Promise<MeetingRow[]> {
  const values = new Values()
  values.add(everyAddressConfirmed) // $1 of meetingColumns
  const through = values.add(page.offset + page.limit)
  const [comparison, direction] = page.order === 'asc' ? ['>', ''] : ['<', 'desc']
  const conditions = conditionsOf(filter, values)
  const after = page.after && [values.add(page.after.at), values.add(page.after.id)]
  const branches = branchesOf(owner, filter).map((branch) => {
    const { id, startsAt } = branch
    const cursor = after === undefined ? '' : `and (${startsAt}, ${id}) ${comparison} (${after.join(', ')})`
    return `(select ${id} as id, ${startsAt} as starts_at from ${matching(branch, conditions, values)} ${cursor}
      order by ${startsAt} ${direction}, ${id} ${direction} limit ${through})`
  })
  const text = `with page as materialized (
      select id, starts_at from (${branches.join(' union all ')}) as listed
      order by starts_at ${direction}, id ${direction}
      limit ${values.add(page.limit)} offset ${values.add(page.offset)}
    ) select ${meetingColumns()} from page join meeting m using (id) join account h on h.id = m.host_id
    order by page.starts_at ${direction}, page.id ${direction}`
  const rows = await statement<MeetingColumns>('list-meetings', text)(database, values.all)
  return rows.map(meetingRowOf)
}

/** How many meetings the filter matches. Without one, the host's are added up from a few rows instead of counted. */
export async function countMeetings(database: Database, owner: ListOwner, filter: ListFilter): Promise<number> {
  const values = new Values()
  const plain =
    filter.past === undefined &&
    !filter.from &&
    !filter.to &&
    filter.topicPart === undefined &&
    filter.madeByApp === null
  const conditions = conditionsOf(filter, values)
  const counts = branchesOf(owner, filter).map((branch) =>
    branch.hosted && plain
      ? `(select coalesce(sum(${countedColumns[filter.status]}), 0) from hosted_meeting_count
          where host_id = ${values.add(owner.accountId)})`
      : `(select count(*) from ${matching(branch, conditions, values)})`,
  )
  const count = statement<{ total: number }>('count-meetings', `select (${counts.join(' + ')})::bigint as total`)
  const [row] = await count(database, values.all)
  return row?.total ?? 0
}

const countedColumns = { active: 'active', cancelled: 'cancelled', all: 'active + cancelled' }

type Branch = {
  hosted: boolean
  id: string
  startsAt: string
  /** The table and what of it is the owner's. */
  owned(values: Values): string
  /** Of which organisation the host has to be, where that is asked. */
  onlyOfTenant: string | null
}

/** A host's meetings and those a person is invited to never overlap: the host is no participant. */
function branchesOf({ accountId, addressKey, onlyOfTenant }: ListOwner, filter: ListFilter): Branch[] {
  const hosted: Branch = {
    hosted: true,
    id: 'm.id',
    startsAt: 'm.starts_at',
    owned: (values) => hostedBy(values.add(accountId), filter, values),
    onlyOfTenant: null,
  }
  const invited: Branch = {
    hosted: false,
    id: 'p.meeting_id',
    startsAt: 'p.starts_at',
    owned: (values) => addressedTo(values.add(addressKey), filter, values),
    onlyOfTenant,
  }
  const { role } = filter
  return [...(role === 'participant' ? [] : [hosted]), ...(role === 'host' ? [] : [invited])]
}

/**
 * What lies in a range, or ahead, is found by that and then put in order: in order of start, all that came before would
 * be read through first.
 */
function hostedBy(host: string, filter: ListFilter, values: Values): string {
  if (filter.from || filter.to) {
    return `(select * from meeting where host_id = ${host} and not recurring ${startsWithin(filter, values)}
      union all select * from meeting where host_id = ${host} and recurring
        and id = any(${values.add(filter.seriesInRange)}::uuid[])) m where true`
  }
  if (filter.past !== false) return `meeting m where m.host_id = ${host}`
  return `(select * from meeting where host_id = ${host} and over_at > ${values.add(filter.now)} offset 0) m where true`
}

function addressedTo(address: string, filter: ListFilter, values: Values): string {
  if (!filter.from && !filter.to) return `participant p where p.email_key = ${address}`
  return `(select meeting_id, starts_at from participant where email_key = ${address} ${startsWithin(filter, values)}
    union select meeting_id, starts_at from participant where email_key = ${address}
      and meeting_id = any(${values.add(filter.seriesInRange)}::uuid[])) p where true`
}

/** As far as the start of a single meeting says it; its end is looked at with the other conditions. */
function startsWithin({ from, to }: ListFilter, values: Values): string {
  const conditions = []
  if (from) conditions.push(`and starts_at > ${values.add(new Date(from.getTime() - longestMeetingMs))}`)
  if (to) conditions.push(`and starts_at < ${values.add(to)}`)
  return conditions.join(' ')
}

/**
 * A branch with its conditions on the meeting `m`. Each invitation looks up its meeting, whatever the planner thinks of
 * a join: what a list costs grows with a person's own meetings and never with everybody's.
 */
function matching({ hosted, owned, onlyOfTenant }: Branch, conditions: readonly string[], values: Values): string {
  const all = [...conditions]
  if (onlyOfTenant !== null) {
    all.push(`(select h.tenant_id from account h where h.id = m.host_id) = ${values.add(onlyOfTenant)}`)
  }
  if (all.length === 0) return owned(values)
  const met = all.join(' and ')
  return `${owned(values)} and ${hosted ? met : `(select ${met} from meeting m where m.id = p.meeting_id)`}`
}

function conditionsOf(filter: ListFilter, values: Values): string[] {
  const conditions = plainConditionsOf(filter, values)
  const within = []
  if (filter.from) within.push(`m.ends_at > ${values.add(filter.from)}`)
  if (filter.to) within.push(`m.starts_at < ${values.add(filter.to)}`)
  if (within.length > 0) {
    const series = values.add(filter.seriesInRange)
    conditions.push(`case when m.recurring then m.id = any(${series}::uuid[]) else ${within.join(' and ')} end`)
  }
  return conditions
}

/** What a meeting's own row says, without looking for its dates. */
function plainConditionsOf(filter: ListFilter, values: Values): string[] {
  const conditions: string[] = []
  if (filter.status !== 'all') conditions.push(`m.cancelled_at is ${filter.status === 'active' ? '' : 'not'} null`)
  if (filter.past !== undefined) conditions.push(`m.over_at ${filter.past ? '<=' : '>'} ${values.add(filter.now)}`)
  if (filter.topicPart !== undefined) {
    conditions.push(`m.topic ilike '%' || ${values.add(escapeLike(filter.topicPart))} || '%'`)
  }
  if (filter.madeByApp !== null) conditions.push(`m.app_id = ${values.add(filter.madeByApp)}`)
  return conditions
}

const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&')

export type SeriesRow = {
  id: string
  startsAt: Date
  endsAt: Date
  timeZone: string
  rule: RecurrenceRule
  endsBy: Date | null
  excluded: readonly string[]
}

/** The owner's series that could have an occurrence between the two, by their first and last dates; in order of id. */
export async function findSeriesAround(
  database: Database,
  owner: ListOwner,
  filter: ListFilter,
  afterId: string,
  limit: number,
): Promise<SeriesRow[]> {
  const values = new Values()
  const conditions = ['m.recurring', `m.id > ${values.add(afterId)}`, ...plainConditionsOf(filter, values)]
  if (filter.to) conditions.push(`m.starts_at < ${values.add(filter.to)}`)
  // What a cancelled series would have held still finds it.
  if (filter.from) conditions.push(`(m.over_at > ${values.add(filter.from)} or m.cancelled_at is not null)`)
  // The range is what this finds out about, so it cannot yet narrow the search.
  const anyTime = { ...filter, from: undefined, to: undefined }
  const branches = branchesOf(owner, anyTime).map((branch) =>
    branch.hosted
      ? `(select m.* from ${matching(branch, conditions, values)})`
      : `(select * from meeting where id = any(array(select p.meeting_id from ${matching(branch, conditions, values)})))`,
  )
  const text = `select m.id, m.starts_at as "startsAt", m.ends_at as "endsAt", m.time_zone_iana as "timeZone",
      m.recurrence as rule, m.ends_by as "endsBy",
      (select coalesce(json_agg(s.starts_at), '[]') from skipped_occurrence s where s.meeting_id = m.id) as excluded
    from (${branches.join(' union all ')}) as m order by m.id limit ${values.add(limit)}`
  return statement<SeriesRow>('list-series', text)(database, values.all)
}
