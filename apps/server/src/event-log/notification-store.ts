import { type ChangedMeetingField, maxNotifications, notificationKinds, notificationSettings } from '@parley/contract'
import { dayMs } from '@parley/rules/invitations/mail-limits'
import { undoableMs } from '@parley/rules/meetings/undo'
import { sql } from 'kysely'
import type { Database, Tx } from '../platform/database/database.ts'
import { defineStatement, type Fragment } from '../platform/database/define-statement.ts'
import { pick, tables } from '../platform/database/tables.ts'
import { publish } from '../platform/database/topics.ts'
import { pushedKinds, queuePushes } from './push/push-store.ts'
import { userTopic } from './user-events.ts'

/** Notifications older than this are deleted, as the events are from which they were made. */
export const notificationRetentionMs = 30 * dayMs

/** Many changes of large meetings at once: more rows would hold up the publisher for seconds. */
const maxOfBatch = 20_000

/** A guest asks again after each reload: within this time, one notification is enough. */
const waitingAgainMs = 10 * 60_000
const waitingAgainTime = sql`${sql.lit(`${waitingAgainMs} ms`)}::interval`

/** Fields whose change concerns every guest, unlike the list of participants. */
const reportedFields: readonly ChangedMeetingField[] = [
  'topic',
  'description',
  'location',
  'startTime',
  'endTime',
  'timeZone',
  'repeatOptions',
  'status',
]

const words = (names: readonly string[]) => sql.join(names.map((name) => sql.lit(name)))

/** Whether the account `a` wants notifications of a kind. An account of an earlier release lacks the setting. */
const isWanted = (kind: Fragment) =>
  sql`coalesce((a.settings ->> (case ${kind} ${sql.join(
    notificationKinds.map((one) => sql`when ${sql.lit(one)} then ${sql.lit(notificationSettings[one])}`),
    sql` `,
  )} end))::boolean, true)`

/** A change is taken back by what follows it within this time: guests are mailed about neither. */
const undoableTime = sql`${sql.lit(`${undoableMs} ms`)}::interval`

/** Whether the event `e` undoes the cancellation `u`. */
const isUndone = sql`(u.undone_at is not null and (e.data ->> '__v')::integer = u.version + 1)`

const insertStatement = defineStatement({
  name: 'insert-notifications',
  parameters: { after: 'bigint' },
  columns: { written: 'bigint', pushedIds: 'uuid[]?' },
  text: (p) => sql`with recent as materialized (
      select e.id, e.position, e.account_id, e.meeting_id, e.app_id, e.occurred_at, e.data, case
          when e.type = 'meeting.created' then case when e.data ? 'continues' then 'changed' else 'invited' end
          when e.type = 'meeting.updated' and e.data -> 'changed' ? 'status' then 'restored'
          when e.type in ('meeting.updated', 'meeting.occurrence.updated') then 'changed'
          when e.type in ('meeting.cancelled', 'meeting.occurrence.cancelled') then 'cancelled'
          when e.type = 'meeting.occurrence.restored' then 'restored'
          when e.type = 'participant.responded' then 'answered'
          when e.type = 'participant.waiting' then 'waiting'
          else 'reviewed' end as kind,
        case e.type when 'app.approved' then 'approved' when 'app.rejected' then 'rejected'
          when 'app.on_hold' then 'on_hold' when 'app.suspended' then 'suspended' end as outcome
      from event e
      where e.position > ${p.after} and (e.type in ('meeting.created', 'meeting.occurrence.updated', 'meeting.cancelled',
          'meeting.occurrence.cancelled', 'meeting.occurrence.restored', 'participant.responded', 'participant.waiting',
          'app.approved', 'app.rejected', 'app.on_hold', 'app.suspended')
        or e.type = 'meeting.updated' and e.data -> 'changed' ?| array[${words(reportedFields)}])
        and not exists (select from undoable_cancellation u where u.meeting_id = e.meeting_id
          and (${isUndone} or u.undone_at is not null and (e.data ->> '__v')::integer = u.version))
        and not (e.type in ('meeting.occurrence.cancelled', 'meeting.occurrence.restored') and exists (
          select from event other where other.meeting_id = e.meeting_id and other.position is not null
            and other.data ->> 'originalStartTime' = e.data ->> 'originalStartTime'
            and (e.type = 'meeting.occurrence.restored' and other.type = 'meeting.occurrence.cancelled'
                and other.position < e.position and other.occurred_at >= e.occurred_at - ${undoableTime}
              or e.type = 'meeting.occurrence.cancelled' and other.type = 'meeting.occurrence.restored'
                and other.position > e.position and other.occurred_at <= e.occurred_at + ${undoableTime})))
    ), told as (
      select r.id, r.account_id, false as by_address from recent r where r.kind in ('answered', 'waiting', 'reviewed')
      union all
      select r.id, a.id, true from recent r join participant p on p.meeting_id = r.meeting_id
        join account a on a.email_key = p.email_key
        where not p.blocked and a.id <> r.account_id
          and (r.kind in ('invited', 'changed', 'cancelled', 'restored') or r.kind = 'waiting' and p.cohost)
      union all
      select r.id, added.account_id, false from recent r join added_meeting added on added.meeting_id = r.meeting_id
        where r.kind in ('changed', 'cancelled', 'restored')
    ), concerned as (
      select id, account_id, bool_and(by_address) as by_address from told group by id, account_id
    ), replaced as (
      delete from notification n using recent r
      where r.kind = 'answered' and n.account_id = r.account_id and n.meeting_id = r.meeting_id and n.kind = 'answered'
        and n.read_at is null and n.data ->> 'person' = r.data ->> 'email'
        and n.data ->> 'originalStartTime' is not distinct from r.data ->> 'originalStartTime'
    ), written as (insert into notification (account_id, kind, occurred_at, meeting_id, app_id, by_address, data)
    select c.account_id, r.kind, r.occurred_at, r.meeting_id, r.app_id, c.by_address, jsonb_strip_nulls(jsonb_build_object(
        'subject', coalesce(r.data ->> 'topic', r.data ->> 'name'),
        'person', coalesce(r.data ->> 'email', r.data -> 'participant' ->> 'name'),
        'originalStartTime', r.data ->> 'originalStartTime', 'response', r.data ->> 'response', 'outcome', r.outcome,
        'startsAt', m.starts_at))
    from concerned c join recent r on r.id = c.id join account a on a.id = c.account_id
      left join meeting m on m.id = r.meeting_id
    where a.deleted_at is null and ${isWanted(sql`r.kind`)}
      and (r.kind in ('answered', 'waiting', 'reviewed') or c.account_id is distinct from
        case when m.version = (r.data ->> '__v')::integer then m.modified_by end)
      and not (r.kind = 'answered' and exists (
        select from recent later where later.kind = 'answered' and later.meeting_id = r.meeting_id
          and later.position > r.position and later.data ->> 'email' = r.data ->> 'email'
          and later.data ->> 'originalStartTime' is not distinct from r.data ->> 'originalStartTime'))
      and not (r.kind = 'invited' and m.version > (r.data ->> '__v')::integer and exists (
        select from notification n where n.account_id = c.account_id and n.meeting_id = r.meeting_id and n.kind = 'invited'))
      and not (r.kind in ('changed', 'waiting') and exists (
        select from notification n where n.account_id = c.account_id and n.meeting_id = r.meeting_id
          and (r.kind = 'changed' and n.kind = 'invited' and n.occurred_at = r.occurred_at
            or r.kind = 'waiting' and n.kind = 'waiting' and n.read_at is null
              and n.data ->> 'person' is not distinct from r.data -> 'participant' ->> 'name'
              and n.occurred_at > r.occurred_at - ${waitingAgainTime})))
    order by r.position limit ${sql.lit(maxOfBatch)} returning id, kind)
      select count(*) as written, array_agg(id) filter (where kind in (${words(pushedKinds)})) as pushed_ids from written`,
})

/**
 * Delete the notifications of cancellations that were undone. Those of a whole meeting or of its rest have the time at
 * which they were cancelled.
 */
const takeBackStatement = defineStatement({
  name: 'take-back-notifications',
  parameters: { after: 'bigint' },
  text: (p) => sql`with undone as materialized (
      select u.meeting_id, null as original_start, u.undoable_until - ${undoableTime} as first_at,
        u.undoable_until - ${undoableTime} as last_at
      from event e join undoable_cancellation u on u.meeting_id = e.meeting_id
      where e.position > ${p.after} and e.type = 'meeting.updated' and ${isUndone}
      union all
      select e.meeting_id, e.data ->> 'originalStartTime', e.occurred_at - ${undoableTime}, e.occurred_at
      from event e where e.position > ${p.after} and e.type = 'meeting.occurrence.restored'
    ), told as (
      select u.*, a.id as account_id from undone u join participant p on p.meeting_id = u.meeting_id
        join account a on a.email_key = p.email_key
      union all
      select u.*, added.account_id from undone u join added_meeting added on added.meeting_id = u.meeting_id
    ) delete from notification n using told
    where n.account_id = told.account_id and n.meeting_id = told.meeting_id
      and n.occurred_at between told.first_at and told.last_at
      and n.data ->> 'originalStartTime' is not distinct from told.original_start
      and (n.kind = 'cancelled' or n.kind = 'changed' and told.original_start is null)`,
})

/**
 * Write the notifications of the events that were published after a position, in the transaction that publishes them:
 * each is written exactly once. The person who made the last change of a meeting is not told of it. An answer takes the
 * place of the unread one before it: a guest who answers again and again does not fill the list. Notifications beyond the
 * limit of a batch are dropped.
 */
export async function insertNotifications(tx: Tx, after: number): Promise<{ areComplete: boolean }> {
  await takeBackStatement.execute(tx, { after })
  const [{ written, pushedIds } = { written: 0, pushedIds: null }] = await insertStatement.execute(tx, { after })
  await queuePushes(tx, pushedIds ?? [])
  return { areComplete: written < maxOfBatch }
}

const inviteStatement = defineStatement({
  name: 'insert-notifications-of-invited',
  parameters: { meetingId: 'uuid', addressKeys: 'text[]', now: 'timestamptz' },
  text: (p) => sql`insert into notification (account_id, kind, occurred_at, meeting_id, by_address, data)
    select a.id, 'invited', ${p.now}, m.id, true, jsonb_build_object('subject', m.topic, 'startsAt', m.starts_at)
    from meeting m join participant p on p.meeting_id = m.id join account a on a.email_key = p.email_key
    where m.id = ${p.meetingId} and p.email_key = any (${p.addressKeys}) and not p.blocked and a.id <> m.host_id
      and a.deleted_at is null and ${isWanted(sql`'invited'`)}`,
})

/**
 * Notify the accounts of participants who were added to a meeting, in the transaction of the change: its event does not
 * name them.
 */
export async function notifyOfInvitation(
  tx: Tx,
  invited: { meetingId: string; addressKeys: readonly string[]; now: Date },
): Promise<void> {
  if (invited.addressKeys.length > 0) await inviteStatement.execute(tx, invited)
}

/** Have the pages read again, and the notifications pushed, which no event does. */
async function announce(tx: Tx, inserted: readonly { id: string; accountId: string }[]): Promise<void> {
  await publish(tx, ...new Set(inserted.map(({ accountId }) => userTopic(accountId))))
  await queuePushes(
    tx,
    inserted.map(({ id }) => id),
  )
}

const ownRoomWaitingStatement = defineStatement({
  name: 'insert-notifications-of-own-rooms',
  parameters: { admissionIds: 'uuid[]', now: 'timestamptz' },
  columns: { id: 'uuid', accountId: 'uuid' },
  text: (p) => sql`insert into notification (account_id, kind, occurred_at, meeting_id, by_address, data)
    select a.id, 'waiting', ${p.now}, a.room_id, false, jsonb_build_object('person', d.name)
    from admission d join account a on a.room_id = d.meeting_id
    where d.id = any (${p.admissionIds}) and d.account_id is distinct from a.id and a.deleted_at is null
      and ${isWanted(sql`'waiting'`)} and not exists (
        select from notification n where n.account_id = a.id and n.meeting_id = a.room_id and n.kind = 'waiting'
          and n.read_at is null and n.data ->> 'person' = d.name
          and n.occurred_at > ${p.now} - ${waitingAgainTime})
    returning id, account_id`,
})

/**
 * Notify the owners of own rooms of people who begin to wait there, in the transaction of their admissions: own rooms
 * have no events.
 */
export async function notifyOwnersOfWaiting(tx: Tx, admissionIds: readonly string[], now: Date): Promise<void> {
  const inserted = await ownRoomWaitingStatement.execute(tx, { admissionIds: [...admissionIds], now })
  await announce(tx, inserted)
}

const startStatement = defineStatement({
  name: 'insert-notifications-of-starts',
  parameters: {
    kind: 'text',
    accountIds: 'uuid[]',
    meetingIds: 'uuid[]',
    byAddress: 'boolean[]',
    subjects: 'text[]',
    startsAt: 'timestamptz[]',
    originalStartTimes: 'text?[]',
    now: 'timestamptz',
  },
  columns: { id: 'uuid', accountId: 'uuid' },
  text: (p) => sql`with starting as materialized (
      select * from unnest(${p.accountIds}, ${p.meetingIds}, ${p.byAddress}, ${p.subjects}, ${p.startsAt},
        ${p.originalStartTimes}) as one (account_id, meeting_id, by_address, subject, starts_at, original_start)
    ), earlier as materialized (
      select n.id, s.account_id, s.meeting_id, s.original_start,
        (n.data ->> 'startsAt')::timestamptz = s.starts_at and n.kind in (${p.kind}, 'started') as same,
        1 + coalesce((n.data ->> 'replaced')::integer, 0) as times
      from starting s join notification n on n.account_id = s.account_id and n.meeting_id = s.meeting_id
        and n.kind in ('starting', 'started') and n.data ->> 'originalStartTime' is not distinct from s.original_start
    ), replaced as (
      delete from notification n using earlier e where n.id = e.id and not e.same
    ) insert into notification (account_id, kind, occurred_at, meeting_id, by_address, data)
      select a.id, ${p.kind}, ${p.now}, s.meeting_id, s.by_address, jsonb_strip_nulls(jsonb_build_object(
        'subject', s.subject, 'startsAt', s.starts_at, 'originalStartTime', s.original_start,
        'replaced', (select sum(e.times) from earlier e where e.account_id = s.account_id and e.meeting_id = s.meeting_id
          and e.original_start is not distinct from s.original_start)))
      from starting s join account a on a.id = s.account_id
      where a.deleted_at is null and a.disabled_at is null and ${isWanted(sql`'starting'`)} and not exists (
        select from earlier e where e.same and e.account_id = s.account_id and e.meeting_id = s.meeting_id
          and e.original_start is not distinct from s.original_start)
      returning id, account_id`,
})

type StartNotification = {
  accountId: string
  meetingId: string
  byAddress: boolean
  subject: string
  startsAt: Date
  /** Names a date of a series; null for a meeting without dates. */
  originalStart: Date | null
}

/**
 * Notify accounts of dates that start soon, or of which the call has begun, which takes the place of the former: once of
 * each date, and once more in place of the first where the date was moved since. The caller holds a lock on the meetings.
 */
export async function notifyOfStarts(
  tx: Tx,
  kind: 'starting' | 'started',
  starts: readonly StartNotification[],
  now: Date,
): Promise<void> {
  if (starts.length === 0) return
  const inserted = await startStatement.execute(tx, {
    kind,
    accountIds: starts.map(({ accountId }) => accountId),
    meetingIds: starts.map(({ meetingId }) => meetingId),
    byAddress: starts.map(({ byAddress }) => byAddress),
    subjects: starts.map(({ subject }) => subject),
    startsAt: starts.map(({ startsAt }) => startsAt),
    originalStartTimes: starts.map(({ originalStart }) => originalStart?.toISOString() ?? null),
    now,
  })
  await announce(tx, inserted)
}

/** Whether the caller may read the notification `n`: those for an address require that it is trusted. */
const isReadable = (addressTrusted: Fragment) => sql`(${addressTrusted} or not n.by_address)`

const listStatement = defineStatement({
  name: 'list-notifications',
  parameters: {
    accountId: tables.notification.accountId,
    tenantId: 'uuid',
    addressTrusted: 'boolean',
    namesEveryAddress: 'boolean',
    oldest: 'timestamptz',
    before: 'bigint?',
    limit: 'integer',
  },
  columns: {
    ...pick(tables.notification, 'id', 'kind', 'number', 'occurredAt', 'readAt', 'meetingId', 'appId', 'data'),
    ownRoomCode: 'text?',
    code: 'text?',
    hostName: 'text?',
    guestName: 'text?',
  },
  text: (p) => sql`select n.id, n.kind, n.number, n.occurred_at, n.read_at, n.meeting_id, n.app_id, n.data,
      (select own.room_code from account own where own.id = n.account_id and own.room_id = n.meeting_id) as own_room_code,
      case when n.kind in ('starting', 'started') then m.code end as code,
      trim(h.name || ' ' || h.lname) as host_name, coalesce((
        select nullif(trim(g.name || ' ' || g.lname), '') from account g
        where n.kind = 'answered' and g.email_key = lower(n.data ->> 'person') and g.tenant_id = ${p.tenantId}
          and (g.email_verified_at is not null or ${p.namesEveryAddress})
      ), (
        select nullif(guest.display_name, '') from participant guest where n.kind = 'answered'
          and guest.meeting_id = n.meeting_id and guest.email_key = lower(n.data ->> 'person')
      )) as guest_name
    from (
      select * from notification n where n.account_id = ${p.accountId} and ${isReadable(sql`${p.addressTrusted}`)}
      order by n.number desc limit ${sql.lit(maxNotifications)}
    ) n left join meeting m on m.id = n.meeting_id left join account h on h.id = m.host_id
    where n.occurred_at > ${p.oldest} and (${p.before} is null or n.number < ${p.before})
    order by n.number desc limit ${p.limit}`,
})

type Reader = { accountId: string; addressTrusted: boolean; oldest: Date }

/** What decides about the names of guests who answered: they are those of the lists of meetings. */
type NamesReader = { tenantId: string; namesEveryAddress: boolean }

export const listNotificationRows = (
  database: Database,
  query: Reader & NamesReader & { before: number | null; limit: number },
) => listStatement.execute(database, query)

const countStatement = defineStatement({
  name: 'count-unread-notifications',
  parameters: { accountId: tables.notification.accountId, addressTrusted: 'boolean', oldest: 'timestamptz' },
  columns: { count: 'integer' },
  text: (p) => sql`select count(*)::integer as count from (
      select * from notification n where n.account_id = ${p.accountId} and ${isReadable(sql`${p.addressTrusted}`)}
      order by n.number desc limit ${sql.lit(maxNotifications)}
    ) n where n.read_at is null and n.occurred_at > ${p.oldest}`,
})

export async function countUnreadNotifications(database: Database, reader: Reader): Promise<number> {
  const [row] = await countStatement.execute(database, reader)
  return row?.count ?? 0
}

const markReadStatement = defineStatement({
  name: 'mark-notifications-read',
  parameters: {
    accountId: tables.notification.accountId,
    notificationId: 'uuid?',
    upTo: 'uuid?',
    now: 'timestamptz',
  },
  text: (p) => sql`update notification set read_at = ${p.now}
    where account_id = ${p.accountId} and read_at is null and (id = ${p.notificationId} or number <= (
      select number from notification where id = ${p.upTo} and account_id = ${p.accountId}))`,
})

export const markRead = (
  tx: Database,
  read: { accountId: string; notificationId: string | null; upTo: string | null; now: Date },
) => markReadStatement.execute(tx, read)

/** Deleting this many takes about ten milliseconds. */
const maxDeletedNotifications = 1_000

const deleteOldStatement = defineStatement({
  name: 'delete-old-notifications',
  parameters: { oldest: 'timestamptz' },
  columns: { deleted: 'bigint' },
  text: (p) => sql`with deleted as (
      delete from notification where id = any (array(
        select id from notification where occurred_at <= ${p.oldest} order by occurred_at limit ${sql.lit(maxDeletedNotifications)}
      )) returning id
    ) select count(*) as deleted from deleted`,
})

/** The accounts whose notifications one statement counts: at most 200,000 entries of an index. */
const accountsAtOnce = 1_000

const deleteSuperfluousStatement = defineStatement({
  name: 'delete-superfluous-notifications',
  parameters: { afterAccount: 'uuid?' },
  columns: { lastAccount: 'uuid?' },
  text: (p) => sql`with accounts as materialized (
      select id from account where ${p.afterAccount} is null or id > ${p.afterAccount} order by id
      limit ${sql.lit(accountsAtOnce)}
    ), deleted as (
      delete from notification n using accounts a, lateral (
        select number from notification one where one.account_id = a.id order by number desc
        offset ${sql.lit(maxNotifications)} limit 1
      ) newest where n.account_id = a.id and n.number <= newest.number
    ) select id as last_account from accounts order by id desc limit 1`,
})

/** Delete what is older than 30 days, or not among the newest of its account, in statements of a bounded size. */
export async function deleteOldNotifications(database: Database, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - notificationRetentionMs)
  let deleted: number
  do [{ deleted } = { deleted: 0 }] = await deleteOldStatement.execute(database, { oldest })
  while (deleted === maxDeletedNotifications)
  let afterAccount: string | null = null
  do {
    const [last]: { lastAccount: string | null }[] = await deleteSuperfluousStatement.execute(database, {
      afterAccount,
    })
    afterAccount = last?.lastAccount ?? null
  } while (afterAccount !== null)
}

export const deleteNotificationsOfAccount = (tx: Tx, accountId: string) =>
  tx.deleteFrom('notification').where('accountId', '=', accountId).execute()

/** Delete the name of an account that has waited at meetings, before it is deleted from its admissions. */
const eraseWaitingStatement = defineStatement({
  name: 'erase-waiting-in-notifications',
  parameters: { accountId: tables.notification.accountId },
  text: (p) => sql`with waited as materialized (
      select meeting_id, name from admission where account_id = ${p.accountId} and name <> ''
    ), told as (
      select w.*, m.host_id as account_id from waited w join meeting m on m.id = w.meeting_id
      union select w.*, a.id from waited w join participant p on p.meeting_id = w.meeting_id and p.cohost
        join account a on a.email_key = p.email_key
      union select w.*, a.id from waited w join account a on a.room_id = w.meeting_id
    ) update notification n set data = n.data - 'person' from told
    where n.account_id = told.account_id and n.meeting_id = told.meeting_id and n.kind = 'waiting'
      and n.data ->> 'person' = told.name`,
})

export const eraseWaitingInNotifications = (tx: Tx, accountId: string) =>
  eraseWaitingStatement.execute(tx, { accountId })
