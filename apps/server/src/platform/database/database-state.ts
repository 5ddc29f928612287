import type { Pool } from 'pg'
import { timedOut, withTimeout } from '../with-timeout.ts'
import { isWritable } from './prepare-session.ts'

/** A monitor asks every few seconds; an answer that is not there by then is a no. */
const maxWaitMs = 2_000
/** Anybody may ask, and the answer costs a connection: everyone within this time gets the same one. */
const sharedMs = 1_000

export type DatabaseState = 'writable' | 'read-only' | 'away'

/** Find out, at most once a second, whether the database answers and takes writes. */
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
