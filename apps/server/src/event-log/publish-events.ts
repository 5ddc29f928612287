import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { type Database, inTransaction, type Tx } from '../platform/database/database.ts'
import type { DatabaseFailureLog } from '../platform/database/database-failure-log.ts'
import { defineStatement } from '../platform/database/define-statement.ts'
import { tables } from '../platform/database/tables.ts'
import { publish, topicOf } from '../platform/database/topics.ts'
import { insertNotifications } from './notification-store.ts'
import { notifyUsers } from './user-events.ts'

/**
 * A full batch takes about ten milliseconds, and as many notifications as are written at once 400 ms more, during which
 * other instances do not publish.
 */
const maxPublishedEvents = 1_000

const waitingStatement = defineStatement({
  name: 'find-unpublished-event',
  parameters: {},
  columns: { waits: 'boolean' },
  text: () => sql`select exists (select from event where position is null) as waits`,
})

/** A database that was just set up has no row: a restore requires empty tables, so that no migration inserts it. */
const createLogStatement = defineStatement({
  name: 'create-event-log',
  parameters: {},
  text: () => sql`insert into event_log (last_position, deleted_position) values (0, 0) on conflict do nothing`,
})

/**
 * One instance publishes at a time. The lock is a statement of its own, so that the next one sees everything that the
 * publisher before has committed.
 */
const lockStatement = defineStatement({
  name: 'lock-event-log',
  parameters: {},
  columns: { lastPosition: tables.eventLog.lastPosition },
  text: () => sql`select last_position from event_log for update skip locked`,
})

/**
 * Pass the numbers as an array: PostgreSQL expects ten elements and finds each row by the small index of unpublished
 * rows. For a join with the batch, it would plan for as many rows as the limit.
 */
const publishStatement = defineStatement({
  name: 'publish-events',
  parameters: { lastPosition: tables.eventLog.lastPosition },
  columns: { published: 'bigint', accountIds: 'uuid[]?' },
  text: (p) => sql`with batch as materialized (
      select number, meeting_id from event where position is null order by number limit ${sql.lit(maxPublishedEvents)}
    ), counted as (
      insert into event_counter as counter (meeting_id, last_sequence)
      select meeting_id, count(*) from batch where meeting_id is not null group by meeting_id order by meeting_id
      on conflict (meeting_id) do update set last_sequence = counter.last_sequence + excluded.last_sequence
      returning meeting_id, last_sequence
    ), ranked as (
      select number, meeting_id, row_number() over (partition by meeting_id order by number desc) - 1 as after_it
      from batch
    ), numbered as (
      select array_agg(number order by number) as numbers,
        array_agg(counted.last_sequence - ranked.after_it order by number) as sequences
      from ranked left join counted on counted.meeting_id = ranked.meeting_id
    ), published as (
      update event set position = ${p.lastPosition} + one.rank, sequence = one.sequence
      from unnest((select numbers from numbered), (select sequences from numbered)) with ordinality
        as one (number, sequence, rank)
      where event.position is null and event.number = one.number
      returning event.position, event.account_id
    ), advanced as (
      update event_log set last_position = (select max(position) from published)
      where exists (select from published)
    ) select count(*) as published, array_agg(distinct account_id) as account_ids from published`,
})

/**
 * Writes what has to exist for each published event exactly once, in the transaction that publishes them: the new
 * events are those after the position.
 */
export type OnPublished = (tx: Tx, afterPosition: number) => Promise<unknown>

/**
 * Publish committed events in the order of their insertion: from the commit on they are read, and the streams that
 * follow them are notified, at every instance. Requests do not notify: NOTIFY takes a global lock at the commit.
 * @returns how many were published; fewer than exist if there are more than a batch holds
 */
async function publishBatch(tx: Tx, onPublished: OnPublished, log: Logger): Promise<number> {
  const [position] = await lockStatement.execute(tx, {})
  if (position === undefined) return 0
  const [{ published, accountIds } = { published: 0, accountIds: null }] = await publishStatement.execute(tx, position)
  if (published === 0) return 0
  const { lastPosition } = position
  await onPublished(tx, lastPosition)
  const { areComplete } = await insertNotifications(tx, lastPosition)
  if (!areComplete) log.warn({ lastPosition, events: published }, 'too many notifications at once: the rest is dropped')
  await notifyUsers(tx, lastPosition)
  await publish(tx, ...(accountIds ?? []).map(eventTopic))
  return published
}

/** Publish all events that are committed now, unless another instance is doing so. */
export async function publishEvents(database: Database, onPublished: OnPublished, log: Logger): Promise<void> {
  const [found] = await waitingStatement.execute(database, {})
  if (!found?.waits) return
  await createLogStatement.execute(database, {})
  let published: number
  do published = await inTransaction(database, (tx) => publishBatch(tx, onPublished, log))
  while (published === maxPublishedEvents)
}

/** The topic that reports that events of an account were published. */
export const eventTopic = (accountId: string) => topicOf('events', accountId)

/** Events are readable this late at most; an idle instance costs the database five indexed reads a second. */
const publishEveryMs = 200

/** A failure lasts longer than a moment. */
const retryMs = 2_000

type EventPublisher = {
  /** Finish the batch that is under way, and publish no more. */
  stop(): Promise<void>
}

type PublisherOptions = {
  database: Database
  log: Logger
  databaseFailures: DatabaseFailureLog
  onPublished: OnPublished
}

/** Publish events as long as the instance runs. While the database is unavailable, they wait. */
export function startEventPublisher({
  database,
  log,
  databaseFailures,
  onPublished,
}: PublisherOptions): EventPublisher {
  const stopping = new AbortController()

  async function run() {
    while (!stopping.signal.aborted) {
      let pauseMs = publishEveryMs
      try {
        await publishEvents(database, onPublished, log)
      } catch (error) {
        if (!databaseFailures.report(error)) log.warn({ err: error }, 'could not publish events; they wait')
        pauseMs = retryMs
      }
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
