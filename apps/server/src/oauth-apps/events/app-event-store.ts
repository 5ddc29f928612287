import { type CountedRefusals, hourOf, maxRequestIds, type RefusalLine } from '@parley/rules/oauth-apps/refusal-lines'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { defaultRetention, retentionCutoff } from '../../platform/config/config-retention.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { tables } from '../../platform/database/tables.ts'
import type { Random } from '../../platform/random.ts'

/** Per kind, so that many events of one kind do not displace other kinds; shared lines are counted apart. */
const maxEventsOfKind = 2_000

/** Longer causes are truncated. */
const maxCauseLength = 500

/** Causes may quote untrusted input; PostgreSQL cannot store NUL. */
const controlCharacters = /\p{Cc}/gu

type AppEvent = {
  appId: string
  /** A stable identifier, such as `token_refused`. */
  kind: string
  /** A sentence with the exact cause (docs/oauth.md, "Event log"); never a token, a code or a secret. */
  cause: string
  sandbox: boolean
  requestId: string
  now: Date
  random: Random
}

/**
 * The text as PostgreSQL stores it: two refusals have one cause here exactly if they have one cause there. The cut may
 * leave half a character, which is stored as U+FFFD.
 */
export const plainCause = (cause: string) =>
  cause.slice(0, maxCauseLength).toWellFormed().replaceAll(controlCharacters, '\ufffd')

/**
 * Record an event for the app's developer on a line of its own. Refusals that a stranger can cause are recorded by
 * `createRefusalLog` instead.
 */
export async function recordAppEvent(
  executor: Database | Tx,
  { random, now, cause, ...event }: AppEvent,
): Promise<void> {
  await executor
    .insertInto('appEvent')
    .values({ id: random.uuid(now), ...event, cause: plainCause(cause), createdAt: now, lastOccurredAt: now })
    .execute()
}

/** Record an event outside of a transaction. A failure is logged, and does not change the reply. */
export async function logAppEvent(log: Pick<Logger, 'warn'>, database: Database, event: AppEvent): Promise<void> {
  try {
    await recordAppEvent(database, event)
  } catch (error) {
    log.warn({ err: error, requestId: event.requestId }, 'failed to record an event of an app')
  }
}

/** List the shared lines of these apps in these hours. */
export async function listRefusalLines(
  database: Database,
  refusals: readonly Pick<RefusalLine, 'appId' | 'hour'>[],
): Promise<RefusalLine[]> {
  const rows = await database
    .selectFrom('appEvent')
    .select(['appId', 'sandbox', 'kind', 'cause', 'sharedHour'])
    .where('appId', 'in', [...new Set(refusals.map(({ appId }) => appId))])
    .where('sharedHour', 'in', [...new Map(refusals.map(({ hour }) => [hour.getTime(), hour])).values()])
    .execute()
  return rows.map(({ sharedHour, ...row }) => ({ ...row, hour: hourOf(sharedHour ?? new Date(0)) }))
}

const addRefusalsStatement = defineStatement({
  name: 'add-refusals',
  parameters: {
    ids: 'uuid[]',
    appIds: 'uuid[]',
    kinds: 'text[]',
    causes: 'text[]',
    sandboxes: 'boolean[]',
    hours: 'timestamptz[]',
    counts: 'integer[]',
    firsts: 'timestamptz[]',
    lasts: 'timestamptz[]',
    newestRequestIds: 'text[]',
    earlierRequestIds: tables.appEvent.earlierRequestIds,
  },
  text: (p) => sql`insert into app_event (id, app_id, kind, cause, sandbox, shared_hour, occurrences, created_at,
      last_occurred_at, request_id, earlier_request_ids)
    select line.id, app_id, kind, cause, line.sandbox, hour, count, first_at, last_at, newest, string_to_array(earlier, ' ')
    from unnest(${p.ids}, ${p.appIds}, ${p.kinds}, ${p.causes}, ${p.sandboxes}, ${p.hours}, ${p.counts}, ${p.firsts},
        ${p.lasts}, ${p.newestRequestIds}, ${p.earlierRequestIds})
      as line (id, app_id, kind, cause, sandbox, hour, count, first_at, last_at, newest, earlier)
    join app on app.id = line.app_id
    on conflict (app_id, shared_hour, kind, sandbox, cause) where shared_hour is not null do update set
      occurrences = app_event.occurrences + excluded.occurrences,
      last_occurred_at = greatest(app_event.last_occurred_at, excluded.last_occurred_at),
      request_id = excluded.request_id,
      earlier_request_ids = (excluded.earlier_request_ids || app_event.request_id
        || app_event.earlier_request_ids)[1:${sql.lit(maxRequestIds - 1)}]`,
})

/** Add refusals to their shared lines. `lines` has each line once. Refusals of deleted apps are dropped. */
export async function addRefusalsToLines(
  database: Database,
  lines: readonly CountedRefusals[],
  random: Random,
): Promise<void> {
  await addRefusalsStatement.execute(database, {
    ids: lines.map(({ first }) => random.uuid(first)),
    appIds: lines.map(({ appId }) => appId),
    kinds: lines.map(({ kind }) => kind),
    causes: lines.map(({ cause }) => cause),
    sandboxes: lines.map(({ sandbox }) => sandbox),
    hours: lines.map(({ hour }) => hour),
    counts: lines.map(({ count }) => count),
    firsts: lines.map(({ first }) => first),
    lasts: lines.map(({ last }) => last),
    newestRequestIds: lines.map(({ requestIds }) => requestIds[0] ?? ''),
    earlierRequestIds: lines.map(({ requestIds }) => requestIds.slice(1).join(' ')),
  })
}

type AppEventFilter = {
  kinds: readonly string[] | undefined
  requestId: string | undefined
  sandbox: boolean | undefined
  from: Date | undefined
  to: Date | undefined
  /** A part of a cause, ignoring letter case, or a request id. */
  search: string | undefined
}

type AppEventPage = { after: { at: Date; id: string } | undefined; limit: number }

/** List an app's events that fit the filter, by their newest occurrence, the newest first. */
export const listAppEventRows = (
  database: Database,
  appId: string,
  { kinds, requestId, sandbox, from, to, search }: AppEventFilter,
  { after, limit }: AppEventPage,
) =>
  database
    .selectFrom('appEvent')
    .select(['id', 'createdAt', 'lastOccurredAt', 'occurrences', 'kind', 'cause', 'sandbox', 'requestId'])
    .where('appId', '=', appId)
    .$if(kinds !== undefined, (events) => events.where('kind', 'in', [...(kinds ?? [])]))
    .$if(sandbox !== undefined, (events) => events.where('sandbox', '=', sandbox === true))
    .$if(requestId !== undefined, (events) => events.where(isOfRequest(requestId ?? '')))
    .$if(search !== undefined, (events) =>
      events.where(({ or }) =>
        or([sql<boolean>`cause ilike ${patternOf(search ?? '')}`, isOfRequest((search ?? '').toLowerCase())]),
      ),
    )
    // A shared line happened from its first occurrence to its newest one.
    .$if(from !== undefined, (events) => events.where('lastOccurredAt', '>=', from ?? new Date(0)))
    .$if(to !== undefined, (events) => events.where('createdAt', '<', to ?? new Date(0)))
    .$if(after !== undefined, (events) =>
      events.where(sql<boolean>`(last_occurred_at, id) < (${after?.at ?? new Date(0)}, ${after?.id ?? ''}::uuid)`),
    )
    .orderBy('lastOccurredAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

const isOfRequest = (requestId: string) =>
  sql<boolean>`(request_id = ${requestId} or ${requestId} = any (earlier_request_ids))`

const patternOf = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`

/**
 * Delete app events past their retention, and of each app and kind all but the newest `maxEventsOfKind`. Lines that
 * refusals share are counted apart, so that a stranger displaces no other lines.
 * @returns the number of deleted events
 */
export async function deleteOldAppEvents(
  database: Database,
  now: Date,
  days = defaultRetention.appEventDays,
): Promise<number> {
  const oldest = retentionCutoff(now, days) ?? now
  const old = await database.deleteFrom('appEvent').where('lastOccurredAt', '<=', oldest).executeTakeFirst()
  // Materialized: otherwise PostgreSQL searches each kind's newest once per event.
  const beyond = await sql`with crowded as materialized (
      select app_id, kind, shared_hour is null as own from app_event group by app_id, kind, own
      having count(*) > ${maxEventsOfKind}
    ), surplus as materialized (
      select crowded.*, newest.* from crowded, lateral (
        select e.last_occurred_at, e.id from app_event e
        where e.app_id = crowded.app_id and e.kind = crowded.kind and (e.shared_hour is null) = crowded.own
        order by e.last_occurred_at desc, e.id desc offset ${maxEventsOfKind} limit 1
      ) newest
    ) delete from app_event e using surplus s
    where e.app_id = s.app_id and e.kind = s.kind and (e.shared_hour is null) = s.own
      and (e.last_occurred_at, e.id) <= (s.last_occurred_at, s.id)`.execute(database)
  return Number(old.numDeletedRows) + Number(beyond.numAffectedRows ?? 0n)
}
