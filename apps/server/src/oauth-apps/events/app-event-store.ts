import { sql } from 'kysely'
import type { Random } from '../../platform/random.ts'
import type { Database, Tx } from '../../tables/tables.ts'

/** For each kind on its own: who floods an app with refusals flushes out other refusals, and nothing else. */
export const maxEventsOfKind = 2_000

/** A long cause tells no more than its beginning does. */
const maxCauseLength = 500

/** What strangers sent may stand in a cause; PostgreSQL keeps no NUL, and no reader shows the others. */
const controlCharacters = /\p{Cc}/gu

export type AppEvent = {
  appId: string
  /** A word that programs may compare, such as `token_refused`. */
  kind: string
  /** A plain sentence with the exact cause (oauth.md 3.9); never a token, a code or a secret. */
  cause: string
  sandbox: boolean
  requestId: string
  now: Date
  random: Random
}

const plain = (cause: string) => cause.slice(0, maxCauseLength).replaceAll(controlCharacters, '\ufffd')

/** Writes a line that the app's developer reads. In the transaction of a change, or beside an error on its own. */
export async function recordAppEvent(
  executor: Database | Tx,
  { random, now, cause, ...event }: AppEvent,
): Promise<void> {
  await executor
    .insertInto('appEvent')
    .values({ id: random.uuid(now), ...event, cause: plain(cause), createdAt: now })
    .execute()
}

/** Writes lines of several apps at once; what is told of an app that there is not leaves none. */
export async function recordEventsOfApps(database: Database, events: readonly AppEvent[]): Promise<void> {
  const column = <Value>(read: (event: AppEvent) => Value) => events.map(read)
  await sql`insert into app_event (id, app_id, kind, cause, sandbox, request_id, created_at)
    select told.* from unnest(
      ${column(({ random, now }) => random.uuid(now))}::uuid[], ${column(({ appId }) => appId)}::uuid[],
      ${column(({ kind }) => kind)}::text[], ${column(({ cause }) => plain(cause))}::text[],
      ${column(({ sandbox }) => sandbox)}::boolean[], ${column(({ requestId }) => requestId)}::text[],
      ${column(({ now }) => now)}::timestamptz[]
    ) as told (id, app_id, kind, cause, sandbox, request_id, created_at) join app on app.id = told.app_id`.execute(
    database,
  )
}
