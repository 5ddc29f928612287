import type { EventType } from '@parley/contract'
import { sql } from 'kysely'
import { createBatcher } from '../platform/database/batch.ts'
import { typed } from '../platform/database/column-types.ts'
import { defineStatement, defineStatementVariants } from '../platform/database/define-statement.ts'
import type { Database } from '../tables/tables.ts'
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

/** The log's row and the events are read by one statement: no event up to `lastPosition` is missing. */
const findStatement = defineStatementVariants({
  name: 'find-events',
  dimensions: { ofMeeting: [true, false] },
  parameters: {
    accountId: 'uuid',
    after: 'bigint',
    types: 'text[]',
    meetingId: 'uuid?',
    appId: 'uuid?',
    sandbox: 'boolean?',
    limit: 'integer',
  },
  columns: {
    lastPosition: 'bigint',
    deletedPosition: 'bigint',
    event: typed<(Omit<PublishedEvent, 'occurredAt'> & { occurredAt: string }) | null>('json?'),
  },
  text: (p, { ofMeeting }) => sql`select log.last_position as "lastPosition", log.deleted_position as "deletedPosition",
      case when e.id is not null then json_build_object('id', e.id, 'type', e.type, 'occurredAt', e.occurred_at,
        'accountId', e.account_id, 'subject', e.subject, 'sequence', e.sequence, 'data', e.data,
        'position', e.position) end as event
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
  const events = rows.flatMap(({ event }) =>
    event === null ? [] : [{ ...event, occurredAt: new Date(event.occurredAt) }],
  )
  return { events, lastPosition: log.lastPosition, deletedPosition: log.deletedPosition }
}

const findNewsStatement = defineStatement({
  name: 'find-news-of-accounts',
  parameters: { accountIds: 'uuid[]', afters: 'bigint[]' },
  columns: { lastPosition: 'bigint', deletedPosition: 'bigint', hasEvents: 'boolean' },
  text: (p) => sql`select log.last_position as "lastPosition", log.deleted_position as "deletedPosition", exists (
      select from event where account_id = asked.account_id and position > asked.after
    ) as "hasEvents"
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
