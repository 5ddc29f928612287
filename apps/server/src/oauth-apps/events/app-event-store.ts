import { sql } from 'kysely'
import type { Random } from '../../platform/random.ts'
import type { Database, Tx } from '../../tables/tables.ts'

/** Per kind, so that a flood of refusals does not displace events of other kinds. */
export const maxEventsOfKind = 2_000

/** Longer causes are truncated. */
const maxCauseLength = 500

/** Causes may quote untrusted input; PostgreSQL cannot store NUL. */
const controlCharacters = /\p{Cc}/gu

export type AppEvent = {
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

const plain = (cause: string) => cause.slice(0, maxCauseLength).replaceAll(controlCharacters, '\ufffd')

/** Record an event for the app's developer, in the transaction of a change or on its own. */
export async function recordAppEvent(
  executor: Database | Tx,
  { random, now, cause, ...event }: AppEvent,
): Promise<void> {
  await executor
    .insertInto('appEvent')
    .values({ id: random.uuid(now), ...event, cause: plain(cause), createdAt: now })
    .execute()
}

/** Record events of several apps at once; events of apps that have been deleted are dropped. */
export async function recordEventsOfApps(database: Database, events: readonly AppEvent[]): Promise<void> {
  const column = <Value>(read: (event: AppEvent) => Value) => events.map(read)
  await sql`insert into app_event (id, app_id, kind, cause, sandbox, request_id, created_at)
    select event.* from unnest(
      ${column(({ random, now }) => random.uuid(now))}::uuid[], ${column(({ appId }) => appId)}::uuid[],
      ${column(({ kind }) => kind)}::text[], ${column(({ cause }) => plain(cause))}::text[],
      ${column(({ sandbox }) => sandbox)}::boolean[], ${column(({ requestId }) => requestId)}::text[],
      ${column(({ now }) => now)}::timestamptz[]
    ) as event (id, app_id, kind, cause, sandbox, request_id, created_at) join app on app.id = event.app_id`.execute(
    database,
  )
}
