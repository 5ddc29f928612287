import type { Database, Tx } from '../../migrations/tables.ts'
import type { Random } from '../platform/random.ts'

/** What a developer may look back at; older events go with the sweep. */
export const eventMemoryMs = 90 * 24 * 60 * 60 * 1000
export const mostEventsOfApp = 10_000

/** A long cause tells no more than its beginning does. */
const longestCause = 500

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

/** Writes a line that the app's developer reads. In the transaction of a change, or beside an error on its own. */
export async function recordAppEvent(
  executor: Database | Tx,
  { random, now, cause, ...event }: AppEvent,
): Promise<void> {
  const plain = cause.slice(0, longestCause).replaceAll(controlCharacters, '\ufffd')
  await executor
    .insertInto('appEvent')
    .values({ id: random.uuid(now), ...event, cause: plain, createdAt: now })
    .execute()
}
