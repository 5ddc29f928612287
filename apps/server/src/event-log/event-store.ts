import type { EventType } from '@parley/contract'
import { sql } from 'kysely'
import { createBatcher } from '../platform/database/batch.ts'
import type { Database } from '../platform/database/database.ts'
import { defineStatement, defineStatementVariants, type Fragment } from '../platform/database/define-statement.ts'
import { pick, tables, typed } from '../platform/database/tables.ts'
import type { EventRow } from './view-event.ts'
import { visibleActingGrant } from './visible-acting-grant.ts'

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
