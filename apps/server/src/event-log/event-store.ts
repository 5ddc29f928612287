import type { EventType } from '@parley/contract'
import { sql } from 'kysely'
import { createBatcher } from '../platform/database/batch.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import {
  defineStatement,
  defineStatementVariants,
  type Fragment,
  type Parameter,
} from '../platform/database/define-statement.ts'
import { pick, tables, typed } from '../platform/database/tables.ts'
import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import { deleteOldNotifications } from './notification-store.ts'
import type { EventRow } from './view-event.ts'

type EventQuery = {
  accountId: string
  /** The position after which to read; 0 for the oldest event. */
  after: number
  types: readonly EventType[]
  meetingId: string | undefined
  /** The app that reads: of `grant.*`, only events of its own are found. */
  app: { appId: string; sandbox: boolean } | undefined
  limit: number
}

type PublishedEvent = EventRow & { position: number }

type EventPage = {
  /** In the order of their positions. */
  events: PublishedEvent[]
  /** The position of the last event of any account. */
  lastPosition: number
  /** Events up to this position have been deleted. */
  deletedPosition: number
}

/** An event as JSON has it. */
type WrittenEvent = Omit<PublishedEvent, 'occurredAt'> & { occurredAt: string }

/** The event `e` of an outer join as JSON, or null where there is none. */
const eventOrNull = (e: Fragment, actingGrant: Fragment) => sql`case when ${e}.id is not null then json_build_object(
    'id', ${e}.id, 'type', ${e}.type, 'occurredAt', ${e}.occurred_at, 'accountId', ${e}.account_id,
    'subject', ${e}.subject, 'sequence', ${e}.sequence, 'actingGrantId', ${actingGrant}, 'data', ${e}.data,
    'position', ${e}.position) end`

const eventsIn = (rows: readonly { event: WrittenEvent | null }[]): PublishedEvent[] =>
  rows.flatMap(({ event }) => (event === null ? [] : [{ ...event, occurredAt: new Date(event.occurredAt) }]))

/** The log's row and the events are read by one statement: no event up to `lastPosition` is missing. */
const findStatement = defineStatementVariants({
  name: 'find-events',
  dimensions: { ofMeeting: [true, false] },
  parameters: {
    ...pick(tables.event, 'accountId', 'meetingId', 'appId'),
    after: 'bigint',
    types: 'text[]',
    sandbox: 'boolean?',
    limit: 'integer',
  },
  columns: { ...pick(tables.eventLog, 'lastPosition', 'deletedPosition'), event: typed<WrittenEvent | null>('json?') },
  text: (p, { ofMeeting }) => sql`select log.last_position, log.deleted_position,
      ${eventOrNull(
        sql`e`,
        visibleActingGrant(sql`e`, sql`${p.appId} is null or g.app_id = ${p.appId} and g.sandbox = ${p.sandbox}`),
      )} as event
    from event_log log left join lateral (
      select * from event where account_id = ${p.accountId} and position > ${p.after} and type = any (${p.types})
        ${ofMeeting ? sql`and meeting_id = ${p.meetingId}` : sql``}
        and (${p.appId} is null or app_id is null
          or (app_id = ${p.appId} and (data ->> 'sandbox')::boolean = ${p.sandbox}))
      order by position limit ${p.limit}
    ) e on true order by e.position`,
})

/** Find published events of an account. */
export async function findEvents(database: Database, query: EventQuery): Promise<EventPage> {
  const { accountId, after, types, meetingId, app, limit } = query
  const rows = await findStatement({ ofMeeting: meetingId !== undefined }).execute(database, {
    accountId,
    after,
    types,
    meetingId: meetingId ?? null,
    appId: app?.appId ?? null,
    sandbox: app?.sandbox ?? null,
    limit,
  })
  // The publisher creates the log's row with the first event.
  const [log = { lastPosition: 0, deletedPosition: 0 }] = rows
  return { events: eventsIn(rows), lastPosition: log.lastPosition, deletedPosition: log.deletedPosition }
}

const findOfGrantStatement = defineStatement({
  name: 'find-events-of-grant',
  parameters: { accountId: tables.appGrant.accountId, grantId: 'uuid', before: 'bigint?', limit: 'integer' },
  columns: { event: typed<WrittenEvent | null>('json?') },
  text: (p) => sql`select ${eventOrNull(sql`e`, sql`g.id`)} as event from app_grant g left join lateral (
      select * from event where acting_grant_id = g.id and position is not null
        and (${p.before} is null or position < ${p.before})
      order by position desc limit ${p.limit}
    ) e on true
    where g.id = ${p.grantId} and g.account_id = ${p.accountId} order by e.position desc`,
})

/**
 * Find what an app caused by a grant of the account, newest first, also in meetings of other hosts. Undefined if the
 * account has no such grant.
 */
export async function findEventsOfGrant(
  database: Database,
  search: { accountId: string; grantId: string; before: number | null; limit: number },
): Promise<PublishedEvent[] | undefined> {
  const rows = await findOfGrantStatement.execute(database, search)
  return rows.length === 0 ? undefined : eventsIn(rows)
}

const findNewsStatement = defineStatement({
  name: 'find-news-of-accounts',
  parameters: { accountIds: 'uuid[]', afters: 'bigint[]' },
  columns: { ...pick(tables.eventLog, 'lastPosition', 'deletedPosition'), hasEvents: 'boolean' },
  text: (p) => sql`select log.last_position, log.deleted_position, exists (
      select from event where account_id = asked.account_id and position > asked.after
    ) as has_events
    from event_log log cross join unnest(${p.accountIds}, ${p.afters}) with ordinality as asked (account_id, after, number)
    order by asked.number`,
})

type News = Omit<EventPage, 'events'> & {
  /** Whether the account has events after the position, of any type. */
  hasEvents: boolean
}

/**
 * Find out whether accounts have events after a position. Streams that check at the same time, most of them in vain,
 * share the statement.
 */
export const createFindNews = (database: Database) =>
  createBatcher(async (asked: readonly { accountId: string; after: number }[]): Promise<News[]> => {
    const rows = await findNewsStatement.execute(database, {
      accountIds: asked.map(({ accountId }) => accountId),
      afters: asked.map(({ after }) => after),
    })
    return asked.map((_, at) => rows[at] ?? { lastPosition: 0, deletedPosition: 0, hasEvents: false })
  })

/**
 * Select the grant by which an app made the change of the event `e`. A reader sees the app behind their own change only:
 * the host does not see which app a guest used.
 * @param mayKnow the condition on the grant `g`: an app sees its own changes only
 */
export const visibleActingGrant = (e: Fragment, mayKnow: Fragment): Fragment =>
  sql`(select g.id from app_grant g where g.id = ${e}.acting_grant_id and g.account_id = ${e}.account_id and (${mayKnow}))`

const deleteOfAccountStatement = defineStatement({
  name: 'delete-events-of-account',
  parameters: { accountId: tables.event.accountId },
  text: (p) => sql`with unpublished as (
      delete from event where position is null and account_id = ${p.accountId}
    ) delete from event where position is not null and account_id = ${p.accountId}`,
})

/** Update one part of the events, for which there is an index. The meetings that an account has entered are few. */
const eraseParticipantWhere = (part: Fragment, p: { accountId: Parameter }) =>
  sql`update event e set data = jsonb_set(e.data, '{participant}', e.data -> 'participant' || '{"name": "", "email": null}')
    from admission a
    where a.account_id = ${p.accountId} and e.meeting_id = a.meeting_id and ${part}
      and e.data -> 'participant' ->> 'admissionId' = a.id::text`

const eraseParticipantStatement = defineStatement({
  name: 'erase-participant-in-events',
  parameters: { accountId: tables.event.accountId },
  text: (p) => sql`with unpublished as (${eraseParticipantWhere(sql`e.position is null`, p)})
    ${eraseParticipantWhere(sql`e.position is not null`, p)}`,
})

/** Delete the events of an account. */
export const deleteEventsOfAccount = (tx: Tx, accountId: string) => deleteOfAccountStatement.execute(tx, { accountId })

/** Delete the name and the address of an account in the events of rooms that it has entered. */
export const eraseParticipantInEvents = (tx: Tx, accountId: string) =>
  eraseParticipantStatement.execute(tx, { accountId })

/** docs/events.md names it: receivers rely on it. */
export const retentionMs = 30 * 24 * 60 * 60 * 1_000

/** Deleting this many takes about ten milliseconds. */
const maxDeletedEvents = 1_000

/**
 * Delete by position, which follows occurrence within seconds. The log loses only its beginning, so a reader whose
 * cursor lies before it knows that it missed events.
 */
const deleteOldStatement = defineStatement({
  name: 'delete-old-events',
  parameters: { oldest: 'timestamptz' },
  columns: { deleted: 'bigint' },
  text: (p) => sql`with deleted as (
      delete from event where position = any (array(
        select position from (
          select position, occurred_at from event where position is not null order by position limit ${sql.lit(maxDeletedEvents)}
        ) first where occurred_at <= ${p.oldest}
      )) returning position
    ), advanced as (
      update event_log set deleted_position = (select max(position) from deleted) where exists (select from deleted)
    ) select count(*) as deleted from deleted`,
})

/** Delete the events of more than 30 days ago. */
export async function deleteOldEvents(database: Database, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - retentionMs)
  let deleted: number
  do [{ deleted } = { deleted: 0 }] = await deleteOldStatement.execute(database, { oldest })
  while (deleted === maxDeletedEvents)
}

/** Delete expired events and notifications. The publisher is a loop of its own (publish-events.ts). */
export const createEventJobs = ({ database }: { database: Database }): ModuleJobs => ({
  deleteExpired: async (now) => {
    await deleteOldEvents(database, now)
    await deleteOldNotifications(database, now)
  },
})
