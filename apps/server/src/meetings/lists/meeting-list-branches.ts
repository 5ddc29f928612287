import { maxMeetingMs } from '@parley/rules/meetings/meeting-times'

/** The owner of a list. */
export type ListOwner = {
  accountId: string
  /** Null if it is not trusted (docs/decisions/0024). */
  addressKey: string | null
  /** Limits an administrator's view of a colleague's list to meetings of their organisation; null for one's own list. */
  onlyOfTenant: string | null
}

export type ListFilter = {
  role: 'host' | 'participant' | 'all'
  status: 'active' | 'cancelled' | 'all'
  /** The time that separates past meetings from running and future ones. */
  past: boolean | undefined
  now: Date
  from: Date | undefined
  to: Date | undefined
  /** Undefined selects both; past and future meetings have different orders. */
  kind?: 'single' | 'series'
  /** The series with an occurrence in the range; the database knows only the times of single meetings. */
  seriesInRange: readonly string[]
  topicPart: string | undefined
  /** Only meetings that this app created; null for all. */
  madeByApp: string | null
}

/** Collects a statement's values while its text is composed, so that the text never contains input. */
export class Values {
  readonly all: unknown[] = []
  add(value: unknown): string {
    return `$${this.all.push(value)}`
  }
}

/** One relation to a meeting: hosting it, being invited to it, or having added it. */
export type Branch = {
  hosted: boolean
  /** The owner's value: the account or the address. */
  owner: string
  id: string
  startsAt: string
  /** The table, and its condition on the owner. */
  owned: string
  /** Conditions on the meeting `m`. */
  conditions: readonly string[]
}

/**
 * Hosted meetings and invitations never overlap, because the host is not a participant. Added meetings leave out those that
 * the owner hosts or is invited to.
 */
export function branchesOf(
  { accountId, addressKey, onlyOfTenant }: ListOwner,
  filter: ListFilter,
  values: Values,
): Branch[] {
  const branches: Branch[] = []
  const conditions = conditionsOf(filter, values)
  const notAll = filter.status !== 'all'
  if (filter.role !== 'participant') {
    const status = notAll ? [`m.cancelled_at is ${filter.status === 'active' ? '' : 'not'} null`] : []
    const host = values.add(accountId)
    branches.push({
      hosted: true,
      owner: host,
      id: 'm.id',
      startsAt: 'm.starts_at',
      owned: hostedBy(host, filter, values),
      conditions: [...status, ...conditions],
    })
  }
  if (filter.role !== 'host') {
    const tenant = `(select h.tenant_id from account h where h.id = m.host_id)`
    const sameTenant = onlyOfTenant === null ? [] : [`${tenant} = ${values.add(onlyOfTenant)}`]
    const status = notAll ? ` and p.meeting_cancelled = ${filter.status === 'cancelled'}` : ''
    const address = values.add(addressKey)
    branches.push({
      hosted: false,
      owner: address,
      id: 'p.meeting_id',
      startsAt: 'p.starts_at',
      owned: addressedTo(address, filter, values) + status,
      conditions: [...conditions, ...sameTenant],
    })
    branches.push({
      hosted: false,
      owner: address,
      id: 'p.meeting_id',
      startsAt: 'p.starts_at',
      owned: addedBy(values.add(accountId), address, filter.status),
      conditions: [...conditions, ...sameTenant],
    })
  }
  return branches
}

/**
 * Meetings in a range or ahead are found by that condition and then sorted: reading them in order of start would scan all
 * earlier ones first.
 */
function hostedBy(host: string, filter: ListFilter, values: Values): string {
  if (filter.from || filter.to) {
    return `(select * from meeting where host_id = ${host} and not recurring ${startsWithin(filter, values)}
      union all select * from meeting where host_id = ${host} and recurring
        and id = any(${values.add(filter.seriesInRange)}::uuid[])) m where true`
  }
  const { past, kind } = filter
  if (past === undefined || (past && kind !== 'series')) return `meeting m where m.host_id = ${host}`
  // In order of start, from the first meeting that can still be running.
  if (kind === 'single')
    return `meeting m where m.host_id = ${host} and m.starts_at > ${values.add(earliestAhead(filter))}`
  const series = kind === 'series' ? 'and recurring' : ''
  return `(select * from meeting where host_id = ${host} ${series}
    and over_at ${past ? '<=' : '>'} ${values.add(filter.now)} offset 0) m where true`
}

/** All single meetings that started before this time have ended. */
const earliestAhead = ({ now }: ListFilter) => new Date(now.getTime() - maxMeetingMs)

function addressedTo(address: string, filter: ListFilter, values: Values): string {
  if (!filter.from && !filter.to) return `participant p where p.email_key = ${address}${invitedTo(filter, values)}`
  return `(select meeting_id, starts_at, meeting_cancelled from participant where email_key = ${address} ${startsWithin(filter, values)}
    union select meeting_id, starts_at, meeting_cancelled from participant where email_key = ${address}
      and meeting_id = any(${values.add(filter.seriesInRange)}::uuid[])) p where true`
}

function invitedTo(filter: ListFilter, values: Values): string {
  if (filter.kind === undefined) return ''
  if (filter.kind === 'series') return ' and p.meeting_recurring'
  const ahead = filter.past === false ? ` and p.starts_at > ${values.add(earliestAhead(filter))}` : ''
  return ` and not p.meeting_recurring${ahead}`
}

/** A person has added few meetings, so they are looked up before all other conditions. */
const addedBy = (account: string, address: string, status: ListFilter['status']) =>
  `(select a.meeting_id, d.starts_at from added_meeting a join meeting d on d.id = a.meeting_id
      where a.account_id = ${account} and d.host_id <> a.account_id
        ${status === 'all' ? '' : `and d.cancelled_at is ${status === 'active' ? '' : 'not'} null`}
        and not exists (select from participant i where i.meeting_id = a.meeting_id and i.email_key = ${address})
      offset 0) p where true`

/** The condition on the start of a single meeting; its end is among the other conditions. */
function startsWithin({ from, to }: ListFilter, values: Values): string {
  const conditions = []
  if (from) conditions.push(`and starts_at > ${values.add(new Date(from.getTime() - maxMeetingMs))}`)
  if (to) conditions.push(`and starts_at < ${values.add(to)}`)
  return conditions.join(' ')
}

/**
 * A branch with its conditions on the meeting `m`. Each invitation looks up its meeting by a correlated subquery instead of a
 * join, so that the cost of a list grows with the owner's meetings and not with all meetings, whatever the planner estimates.
 */
export function matching({ hosted, owned, conditions }: Branch, further: readonly string[] = []): string {
  const all = [...conditions, ...further]
  if (all.length === 0) return owned
  const met = all.join(' and ')
  return `${owned} and ${hosted ? met : `(select ${met} from meeting m where m.id = p.meeting_id)`}`
}

/** The conditions on a meeting besides its owner and its cancellation, which are in the owner's index. */
function conditionsOf(filter: ListFilter, values: Values): string[] {
  const conditions: string[] = []
  if (filter.kind !== undefined) conditions.push(filter.kind === 'series' ? 'm.recurring' : 'not m.recurring')
  if (filter.past !== undefined) conditions.push(`m.over_at ${filter.past ? '<=' : '>'} ${values.add(filter.now)}`)
  if (filter.topicPart !== undefined) {
    conditions.push(`m.topic ilike '%' || ${values.add(escapeLike(filter.topicPart))} || '%'`)
  }
  if (filter.madeByApp !== null) conditions.push(`m.app_id = ${values.add(filter.madeByApp)}`)
  const within: string[] = []
  if (filter.from) within.push(`m.ends_at > ${values.add(filter.from)}`)
  if (filter.to) within.push(`m.starts_at < ${values.add(filter.to)}`)
  if (within.length > 0) {
    const series = values.add(filter.seriesInRange)
    conditions.push(`case when m.recurring then m.id = any(${series}::uuid[]) else ${within.join(' and ')} end`)
  }
  return conditions
}

const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&')
