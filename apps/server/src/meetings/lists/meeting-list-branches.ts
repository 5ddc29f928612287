import { maxMeetingMs } from '@parley/rules/meetings/meeting-times'
import { sql } from 'kysely'
import type { Fragment, Parameter } from '../../platform/database/define-statement.ts'
import { isKnownToGuest } from '../guest-mail-queue.ts'

/** The owner of a list. */
export type ListOwner = {
  accountId: string
  /** Null if it is not trusted (access/trusted-address.ts). */
  addressKey: string | null
  /** Whether accounts behind unverified addresses are found by their names (access/trusted-address.ts). */
  namesEveryAddress: boolean
  /**
   * Limits an administrator's view of a colleague's list to meetings of their organisation; null for one's own list.
   */
  onlyOfTenant: string | null
}

export type ListFilter = {
  /**
   * `calendar`: hosted meetings, and invitations that the owner knows of (isKnownToGuest). `unanswered`: invitations
   * that the owner has not answered.
   */
  role: 'host' | 'participant' | 'all' | 'calendar' | 'unanswered'
  status: 'active' | 'cancelled' | 'all'
  /** The time that separates past meetings from running and future ones. */
  past: boolean | undefined
  now: Date
  from: Date | undefined
  to: Date | undefined
  /** The series with an occurrence in the range; the database knows only the times of single meetings. */
  seriesInRange: readonly string[]
  topicPart: string | undefined
  /** Only these meetings, which a search has found (agenda-search-store.ts); undefined for all. */
  found?: readonly string[] | undefined
  /** Only meetings that this app created; null for all. */
  madeByApp: string | null
}

/** What the text of a list's statement depends on. */
export const listDimensions = {
  role: ['host', 'participant', 'all', 'calendar', 'unanswered'],
  status: ['active', 'cancelled', 'all'],
  past: [undefined, true, false],
  hasFrom: [false, true],
  hasTo: [false, true],
  searches: ['nothing', 'topics', 'found'],
  isOfApp: [false, true],
  isOfTenant: [false, true],
} as const

export type ListVariant = {
  readonly [Name in keyof typeof listDimensions]: (typeof listDimensions)[Name][number]
}

/**
 * The kind of meetings that a part of a list's statement selects. Undefined selects both kinds, which are sorted by
 * different columns.
 */
type PartVariant = ListVariant & {
  kind?: 'single' | 'series'
  /** The name under which the statement has `addedMeetings`, if several of its parts read them. */
  addedAs?: Fragment
}

export const variantOf = ({ onlyOfTenant }: ListOwner, filter: ListFilter): ListVariant => ({
  role: filter.role,
  status: filter.status,
  past: filter.past,
  hasFrom: filter.from !== undefined,
  hasTo: filter.to !== undefined,
  searches: searchOf(filter),
  isOfApp: filter.madeByApp !== null,
  isOfTenant: onlyOfTenant !== null,
})

function searchOf({ topicPart, found }: ListFilter): ListVariant['searches'] {
  if (found !== undefined) return 'found'
  return topicPart === undefined ? 'nothing' : 'topics'
}

export const listParameters = {
  accountId: 'uuid',
  addressKey: 'text?',
  namesEveryAddress: 'boolean',
  tenantId: 'uuid?',
  now: 'timestamptz',
  /** All single meetings that started before this time have ended. */
  earliestAhead: 'timestamptz',
  from: 'timestamptz?',
  /** All single meetings that started before this time have ended at `from`. */
  earliestFrom: 'timestamptz?',
  to: 'timestamptz?',
  seriesInRange: 'uuid[]',
  topicPart: 'text?',
  found: 'uuid[]',
  appId: 'uuid?',
} as const

export type ListParameters = Record<keyof typeof listParameters, Parameter>

export const listValuesOf = (
  { accountId, addressKey, namesEveryAddress, onlyOfTenant }: ListOwner,
  filter: ListFilter,
) => ({
  accountId,
  addressKey,
  namesEveryAddress,
  tenantId: onlyOfTenant,
  now: filter.now,
  earliestAhead: new Date(filter.now.getTime() - maxMeetingMs),
  from: filter.from ?? null,
  earliestFrom: filter.from === undefined ? null : new Date(filter.from.getTime() - maxMeetingMs),
  to: filter.to ?? null,
  seriesInRange: filter.seriesInRange,
  topicPart: filter.topicPart === undefined ? null : escapeLike(filter.topicPart),
  found: filter.found ?? [],
  appId: filter.madeByApp,
})

const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&')

/** One relation to a meeting: hosting it, being invited to it, or having added it. */
export type Branch = {
  hosted: boolean
  /** Whether the owner sees who is invited, and the address of the host: a person who came by a link alone does not. */
  showsPeople: boolean
  id: Fragment
  /** The start of a single meeting, in the order of the owner's index. */
  startsAt: Fragment
  /** The start of the last occurrence of a meeting of either kind. */
  lastStartsAt: Fragment
  /** The table, and its condition on the owner. */
  owned: Fragment
  /** Conditions on the meeting `m`. */
  conditions: readonly Fragment[]
}

/**
 * Hosted meetings and invitations never overlap, because the host is not a participant. Added meetings leave out those
 * that the owner hosts or is invited to.
 */
export function branchesOf(p: ListParameters, variant: PartVariant): Branch[] {
  const branches: Branch[] = []
  const conditions = conditionsOf(p, variant)
  if (variant.role !== 'participant' && variant.role !== 'unanswered') {
    const status = variant.status === 'all' ? [] : [isOfStatus(p, sql`m`, variant.status)]
    const found = variant.searches === 'found' ? [sql`m.id = any(${p.found})`] : []
    branches.push({
      hosted: true,
      showsPeople: true,
      id: sql`m.id`,
      startsAt: sql`m.last_starts_at`,
      lastStartsAt: sql`m.last_starts_at`,
      owned: hostedMeetings(p, variant),
      conditions: [...status, ...found, ...conditions],
    })
  }
  if (variant.role !== 'host') {
    const tenant = sql`(select h.tenant_id from account h where h.id = m.host_id) = ${p.tenantId}`
    const shared = {
      hosted: false,
      id: sql`p.meeting_id`,
      startsAt: sql`p.starts_at`,
      lastStartsAt: sql`(select m.last_starts_at from meeting m where m.id = p.meeting_id)`,
    }
    const further = { conditions: [...conditions, ...(variant.isOfTenant ? [tenant] : [])] }
    branches.push({ ...shared, ...further, showsPeople: true, owned: invitations(p, variant) })
    if (variant.role !== 'calendar' && variant.role !== 'unanswered') {
      branches.push({ ...shared, ...further, showsPeople: false, owned: addedOfVariant(p, variant) })
    }
  }
  return branches
}

/**
 * A series that was cancelled while a date was running is active until that date ends, and is cancelled as well: the
 * date takes place to its end.
 */
const isOfStatus = (p: ListParameters, m: Fragment, status: 'active' | 'cancelled') =>
  status === 'active'
    ? sql`(${m}.cancelled_at is null or (${m}.recurring and ${m}.over_at > ${p.now}))`
    : sql`${m}.cancelled_at is not null`

/**
 * Meetings in a range or ahead are found by that condition and then sorted: reading them in order of start would scan
 * all earlier ones first. The others are read in that order, `last_starts_at`, which is the start of a single meeting.
 */
function hostedMeetings(p: ListParameters, variant: PartVariant): Fragment {
  const { past, kind, hasFrom, hasTo } = variant
  if (hasFrom || hasTo) {
    const within = startsWithin(p, variant, sql`last_starts_at`)
    return sql`(select * from meeting where host_id = ${p.accountId} and not recurring ${within}
      union all select * from meeting where host_id = ${p.accountId} and recurring
        and id = any(${p.seriesInRange})) m where true ${andOfKind(sql`m.recurring`, variant)}`
  }
  const owned = sql`meeting m where m.host_id = ${p.accountId} ${andOfKind(sql`m.recurring`, variant)}`
  if (past === undefined) return owned
  // Nothing that is over starts later, except what was cancelled before its start.
  if (past) return variant.status === 'active' ? sql`${owned} and m.last_starts_at < ${p.now}` : owned
  // In order of start, from the first meeting that can still be running.
  if (kind === 'single') return sql`${owned} and m.last_starts_at > ${p.earliestAhead}`
  // The condition on the kind belongs inside, where it selects the index of series.
  return sql`(select * from meeting where host_id = ${p.accountId} and over_at > ${p.now}
    ${andOfKind(sql`recurring`, variant)} offset 0) m where true`
}

function invitations(p: ListParameters, variant: PartVariant): Fragment {
  const { role, status, hasFrom, hasTo } = variant
  const ofStatus = status === 'all' ? sql`` : sql`and ${isInvitedOfStatus(p, variant)}`
  const known = role === 'calendar' ? sql`and ${isKnownToGuest(sql`p`)}` : sql``
  const unanswered = role === 'unanswered' ? sql`and p.response is null` : sql``
  const filter = sql`and not p.blocked ${andFound(p, sql`p.meeting_id`, variant)} ${andOfKind(sql`p.meeting_recurring`, variant)} ${ofStatus} ${known} ${unanswered}`
  if (!hasFrom && !hasTo) {
    return sql`participant p where p.email_key = ${p.addressKey} ${filter} ${singlesWithin(p, variant)}`
  }
  const columns = sql`meeting_id, email_key, response, starts_at, meeting_cancelled, meeting_recurring, blocked`
  const within = startsWithin(p, variant, sql`starts_at`)
  return sql`(select ${columns} from participant where email_key = ${p.addressKey} ${within}
    union select ${columns} from participant where email_key = ${p.addressKey}
      and meeting_id = any(${p.seriesInRange})) p where true ${filter}`
}

/** The bounds of the starts of single meetings that are ahead or over, by which the index is read. */
function singlesWithin(p: ListParameters, { kind, past, status }: PartVariant): Fragment {
  if (kind !== 'single' || past === undefined) return sql``
  if (!past) return sql`and p.starts_at > ${p.earliestAhead}`
  // Nothing that is over starts later, except what was cancelled before its start.
  return status === 'active' ? sql`and p.starts_at < ${p.now}` : sql``
}

/** `isOfStatus` of an invitation `p`, which looks up the meeting only of a series that was cancelled. */
function isInvitedOfStatus(p: ListParameters, { kind, status }: PartVariant): Fragment {
  if (status === 'cancelled') return sql`p.meeting_cancelled`
  if (kind === 'single') return sql`not p.meeting_cancelled`
  return sql`(not p.meeting_cancelled
    or (p.meeting_recurring and (select m.over_at > ${p.now} from meeting m where m.id = p.meeting_id)))`
}

/** The meetings that the owner has added: few, so they are looked up before all other conditions. */
export const addedMeetings = (p: ListParameters) => sql`(select a.meeting_id, d.starts_at, d.recurring, d.cancelled_at,
    d.over_at
  from added_meeting a join meeting d on d.id = a.meeting_id
  where a.account_id = ${p.accountId} and d.host_id <> a.account_id
    and not exists (select from participant i where i.meeting_id = a.meeting_id and i.email_key = ${p.addressKey})
    and not exists (select from blocked_sender b where b.account_id = a.account_id and b.sender_id = d.host_id)
  offset 0)`

const addedOfVariant = (p: ListParameters, variant: PartVariant) => sql`${variant.addedAs ?? addedMeetings(p)} p
  where true ${andFound(p, sql`p.meeting_id`, variant)} ${andOfKind(sql`p.recurring`, variant)}
    ${variant.status === 'all' ? sql`` : sql`and ${isOfStatus(p, sql`p`, variant.status)}`}`

/** Among the conditions on the relation, whose index has the id: few meetings are found. */
const andFound = (p: ListParameters, id: Fragment, { searches }: PartVariant): Fragment =>
  searches === 'found' ? sql`and ${id} = any(${p.found})` : sql``

function andOfKind(recurring: Fragment, { kind }: PartVariant): Fragment {
  if (kind === undefined) return sql``
  return kind === 'series' ? sql`and ${recurring}` : sql`and not ${recurring}`
}

/** The condition on the start of a single meeting; its end is among the other conditions. */
const startsWithin = (p: ListParameters, { hasFrom, hasTo }: ListVariant, startsAt: Fragment) =>
  sql`${hasFrom ? sql`and ${startsAt} > ${p.earliestFrom}` : sql``} ${hasTo ? sql`and ${startsAt} < ${p.to}` : sql``}`

/**
 * A branch with its conditions on the meeting `m`. Each invitation looks up its meeting by a correlated subquery
 * instead of a join: a list's cost grows with the owner's meetings, and never with all meetings, even if the planner's
 * estimate is wrong.
 */
export function matching({ hosted, owned, conditions }: Branch, further: readonly Fragment[] = []): Fragment {
  const all = [...conditions, ...further]
  if (all.length === 0) return owned
  const met = sql.join(all, sql` and `)
  return sql`${owned} and ${hosted ? met : sql`(select ${met} from meeting m where m.id = p.meeting_id)`}`
}

/** The conditions on a meeting besides its owner and its cancellation, which are in the owner's index. */
function conditionsOf(p: ListParameters, variant: PartVariant): Fragment[] {
  const { past, hasFrom, hasTo } = variant
  const conditions: Fragment[] = []
  if (past !== undefined) conditions.push(past ? sql`m.over_at <= ${p.now}` : sql`m.over_at > ${p.now}`)
  if (variant.isOfApp) conditions.push(sql`m.app_id = ${p.appId}`)
  if (variant.searches === 'topics') conditions.push(sql`m.topic ilike '%' || ${p.topicPart} || '%'`)
  const within: Fragment[] = []
  if (hasFrom) within.push(sql`m.ends_at > ${p.from}`)
  if (hasTo) within.push(sql`m.starts_at < ${p.to}`)
  if (within.length > 0) {
    const single = sql.join(within, sql` and `)
    conditions.push(sql`case when m.recurring then m.id = any(${p.seriesInRange}) else ${single} end`)
  }
  return conditions
}
