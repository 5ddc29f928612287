import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Pool, PoolClient, QueryConfig } from 'pg'
import type { Logger } from 'pino'
import { codeOf, messageOf } from '../error-facts.ts'
import { StartProblem } from '../start-problem.ts'
import { defineStatement } from './define-statement.ts'
import { describeHolder, findLockHolders, isStillHeld, type LockHolder } from './lock-holders.ts'
import type { Migration } from './migration-files.ts'

/** Rewriting a large table takes minutes; a statement without a limit could prevent the service from starting. */
export const maxStatementMs = 3_600_000
/** Requests queue behind a migration that waits for their table, so it gives up soon and retries. */
const lockTimeoutMs = 500
/**
 * The pause between two attempts, in which requests proceed, and its maximum while the lock's holder is known to
 * remain.
 */
const pauseMs = 1_000
const maxPauseMs = 10_000
/** Longer than most reports and backups. After this, the start fails and names the session to end. */
const defaultMaxWaitMs = 600_000
/** Lock holders are looked up while the migration waits. */
const holderCheckMs = lockTimeoutMs / 2

type ApplyOptions = { pool: Pool; log: Logger; maxWaitMs?: number }

/**
 * Apply a migration in its own transaction. While another session uses a table, wait half a second at a time, with
 * pauses in which requests proceed, for up to ten minutes; the log names the holder.
 *
 * @throws StartProblem when the migration fails, or its tables stay locked
 */
export async function applyMigration(client: PoolClient, migration: Migration, options: ApplyOptions): Promise<void> {
  const { pool, log, maxWaitMs = defaultMaxWaitMs } = options
  const startedAt = performance.now()
  let holders: LockHolder[] = []
  for (let attempt = 1; ; attempt++) {
    const limitMs = await lockLimitFor(client, holders)
    const outcome = await tryOnce(client, migration, { pool, limitMs })
    if (outcome.kind === 'applied') return
    if (outcome.holders.length > 0) holders = outcome.holders
    const heldBy = holders.map(describeHolder)
    const waitedMs = Math.round(performance.now() - startedAt)
    if (waitedMs >= maxWaitMs) throw tooLong(migration, heldBy, waitedMs, outcome.error)
    log.warn(
      { migration: migration.name, attempt, waitedMs, heldBy },
      'a migration waits for a table that another session uses; requests go on, and it is tried again',
    )
    await pauseWhileHeld(pool, holders, Math.min(maxPauseMs, maxWaitMs - waitedMs))
  }
}

type Outcome = { kind: 'applied' } | { kind: 'locked'; holders: LockHolder[]; error: unknown }

const recordStatement = defineStatement({
  name: 'record-migration',
  parameters: { name: 'text', sha256: 'text' },
  text: (p) => sql`insert into schema_migration (name, sha256) values (${p.name}, ${p.sha256})`,
})

async function tryOnce(
  client: PoolClient,
  { name, sql: text, sha256 }: Migration,
  { pool, limitMs }: { pool: Pool; limitMs: number },
): Promise<Outcome> {
  const watched = new AbortController()
  let watching: Promise<LockHolder[]> | undefined
  try {
    await client.query('begin')
    await client.query(`set local lock_timeout = ${limitMs}`)
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    watching = watchHolders(pool, rows[0]?.pid ?? 0, watched.signal)
    await client.query(withoutLimit(text))
    await recordStatement.executeOn(client, { name, sha256 })
    await client.query('commit')
    return { kind: 'applied' }
  } catch (error) {
    if (isLockTimeout(error)) {
      await client.query('rollback')
      return { kind: 'locked', holders: (await watching) ?? [], error }
    }
    throw new StartProblem(`The migration ${name} failed and was taken back: ${messageOf(error)}.`, { cause: error })
  } finally {
    watched.abort()
  }
}

/** 55P03: lock_timeout; 40P01: deadlock, with the migration as its victim. */
const isLockTimeout = (error: unknown): boolean => ['55P03', '40P01'].includes(codeOf(error))

/** Incomplete without a second connection or the rights to see other sessions. */
async function watchHolders(pool: Pool, pid: number, done: AbortSignal): Promise<LockHolder[]> {
  try {
    await sleep(holderCheckMs, undefined, { signal: done })
    return await findLockHolders(pool, pid)
  } catch {
    return []
  }
}

/**
 * PostgreSQL cancels an autovacuum for a session that has waited `deadlock_timeout` (1 s by default): behind one, wait
 * slightly longer than that.
 */
async function lockLimitFor(client: PoolClient, holders: readonly LockHolder[]): Promise<number> {
  if (!holders.some(({ isBackground }) => isBackground)) return lockTimeoutMs
  const { rows } = await client.query<{ ms: number }>(
    `select extract(epoch from current_setting('deadlock_timeout')::interval)::float8 * 1000 as ms`,
  )
  return Math.ceil(rows[0]?.ms ?? 0) + lockTimeoutMs
}

/** Wait for a second, and longer while the holders remain: each attempt blocks requests for up to half a second. */
async function pauseWhileHeld(pool: Pool, holders: readonly LockHolder[], limitMs: number): Promise<void> {
  const startedAt = performance.now()
  do {
    await sleep(pauseMs)
  } while (
    performance.now() - startedAt < limitMs &&
    holders.length > 0 &&
    (await isStillHeld(pool, holders).catch(() => false))
  )
}

const tooLong = ({ name }: Migration, heldBy: readonly string[], waitedMs: number, cause: unknown) =>
  new StartProblem(
    `The migration ${name} has waited ${Math.round(waitedMs / 1000)} s for a table that is in use, and changed nothing` +
      `${heldBy.length === 0 ? '' : `: it is held by ${heldBy.join('; ')}`}. Let that end, or end it with ` +
      'pg_terminate_backend, and start again; running instances are not affected.',
    { cause },
  )

/** Lift pg's query timeout, which is set for requests and missing in its types. */
const withoutLimit = (text: string): QueryConfig => {
  const query: QueryConfig & { query_timeout: number } = { text, query_timeout: maxStatementMs }
  return query
}
