import type { Pool } from 'pg'
import { timedOut, withTimeout } from '../with-timeout.ts'
import { isWritable } from './prepare-session.ts'

/** No answer within this time counts as a failure: monitors check every few seconds. */
const maxWaitMs = 2_000
/** The endpoint is public and each check uses a connection, so callers within this time share one. */
const sharedMs = 1_000

type DatabaseState = 'writable' | 'read-only' | 'away'

/** Check, at most once a second, whether the database responds and accepts writes. */
export function createFindDatabaseState(pool: Pool): () => Promise<DatabaseState> {
  let latest: { state: Promise<DatabaseState>; at: number } | undefined
  return () => {
    if (latest === undefined || performance.now() - latest.at > sharedMs) {
      latest = { state: findState(pool), at: performance.now() }
    }
    return latest.state
  }
}

async function findState(pool: Pool): Promise<DatabaseState> {
  const found = isWritable(pool).then(
    (writable): DatabaseState => (writable ? 'writable' : 'read-only'),
    (): DatabaseState => 'away',
  )
  const state = await withTimeout(maxWaitMs, () => found)
  return state === timedOut ? 'away' : state
}
