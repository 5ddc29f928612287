import type { Pool, PoolClient } from 'pg'
import { StartProblem } from '../start-problem.ts'
import { timedOut, withTimeout } from '../with-timeout.ts'
import { isWritable } from './prepare-session.ts'

/** An idle pooler gives both connections the same server in the first round; under load it may take more rounds. */
const pinningRounds = 5

/**
 * Check that each connection is a session, and that the database accepts writes.
 *
 * @throws StartProblem with a sentence that names the obstacle
 */
export async function requireUsableServer(pool: Pool): Promise<void> {
  await requireSessions(pool)
  if (!(await isWritable(pool))) {
    throw new StartProblem(
      'The database takes no writes: it is a replica (a standby), or was set to read-only. Let DATABASE_URL lead to the ' +
        'primary, or name all hosts of the cluster: postgres://a:5432,b:5432/parley?target_session_attrs=read-write.',
    )
  }
}

/**
 * Refuse transaction pooling, because prepared statements, advisory locks, LISTEN and session settings belong to one
 * server session: two connections, of which one holds a transaction, must be on two server sessions, and the other must
 * stay on its own.
 *
 * @throws StartProblem
 */
async function requireSessions(pool: Pool): Promise<void> {
  const one = await pool.connect()
  try {
    const other = await pool.connect()
    try {
      const server = await serverOf(one)
      for (let round = 0; round < pinningRounds; round++) {
        await other.query('begin')
        const isShared = (await serverOf(other)) === server
        const hasChanged = !isShared && (await serverOf(one)) !== server
        await other.query('commit')
        if (isShared || hasChanged) throw new StartProblem(transactionPooler)
      }
    } finally {
      other.release(true)
    }
  } catch (error) {
    if (isTransactionRefused(error)) throw new StartProblem(transactionPooler, { cause: error })
    throw error
  } finally {
    one.release(true)
  }
}

const transactionPooler =
  'Between Parley and PostgreSQL stands a pooler in transaction or statement mode, such as PgBouncer with ' +
  'pool_mode = transaction. Parley needs a session for each of its connections: set pool_mode = session for this database, ' +
  'or let DATABASE_URL lead to PostgreSQL itself.'

async function serverOf(client: PoolClient): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid
}

/** PgBouncer in statement mode: "transaction blocks not allowed in statement pooling mode". */
const isTransactionRefused = (error: unknown) =>
  error instanceof Error && /transaction.*not allowed|statement pooling/i.test(error.message)

/** Find what a failover of this database could lose, as sentences for the log at startup and for `doctor`. */
export async function findReplicationWarnings(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ standbys: number; synchronous: string; commit: string; fsync: string }>(
    `select (select count(*) from pg_stat_replication) as standbys,
       current_setting('synchronous_standby_names') as synchronous, current_setting('synchronous_commit') as commit,
       current_setting('fsync') as fsync`,
  )
  const [found] = rows
  if (found === undefined) return []
  const warnings: string[] = []
  if (found.standbys > 0 && found.synchronous === '') {
    warnings.push(
      'The database has standbys and replicates to them asynchronously: when the primary is lost, what was answered in the ' +
        'last moments is lost too. Set synchronous_standby_names, or synchronous_mode under Patroni.',
    )
  }
  if (found.commit === 'off' || (found.synchronous !== '' && found.commit === 'local')) {
    warnings.push(
      `synchronous_commit is ${found.commit}: what was answered in the last moments may be lost with the primary. ` +
        'Set it to on for the role or the database of Parley.',
    )
  }
  if (found.fsync === 'off') warnings.push('fsync is off: a crash of the database server may damage everything.')
  return warnings
}

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
