import type { Pool, PoolClient } from 'pg'
import type { Logger } from 'pino'

/**
 * A process that dies leaves its jobs locked, and graphile-worker releases such locks only after four hours. Each
 * worker pool therefore holds an advisory lock on its listening connection, which PostgreSQL releases with the process:
 * a job whose pool holds no such lock is orphaned.
 */
const lockClass = 727540

const intervalMs = 30_000
/** A pool takes its first jobs just before it listens, and has no lock for a moment while it reconnects. */
const gracePeriod = '15 seconds'
/** How long failed jobs are kept for investigation. */
const failedJobsKept = '30 days'

/**
 * Take the pool's liveness lock when the connection's first query is done. The lock is shared, so that a pool is not
 * blocked by its own former connection, which PostgreSQL may not know to be dead.
 */
export function holdLivenessLock(client: PoolClient, workerPoolId: string) {
  client.once('drain', () => {
    const lock = client.query('select pg_try_advisory_lock_shared($1, hashtext($2))', [lockClass, workerPoolId])
    // On failure the connection is lost, and the next one takes the lock.
    lock.catch(() => {})
  })
}

/** Whether another instance runs on the same database. Call it before this instance starts its jobs. */
export async function hasOtherInstances(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ alive: boolean }>(
    `select exists (select from pg_locks where locktype = 'advisory' and classid = $1
       and database = (select oid from pg_database where datname = current_database())) as alive`,
    [lockClass],
  )
  return rows[0]?.alive === true
}

/** Unlock the remaining jobs of a worker pool of this process. */
export async function releaseJobs(pool: Pool, workerPoolId: string): Promise<void> {
  await pool.query('select graphile_worker.force_unlock_workers(array[$1])', [workerPoolId])
}

/** Release the jobs of dead pools, and delete long-failed jobs: now and every half minute. */
export function startReleasingOrphanedJobs(pool: Pool, log: Logger): { stop(): void } {
  const timer = setInterval(releaseOrphanedJobs, intervalMs)
  void releaseOrphanedJobs()

  async function releaseOrphanedJobs() {
    try {
      const { rows } = await pool.query<{ pools: string[] }>(releaseOrphanedJobsStatement)
      for (const { pools } of rows) log.warn({ pools }, 'jobs of a process that died are run again')
      await pool.query(deleteFailedJobsStatement)
    } catch (error) {
      log.debug({ err: error }, 'orphaned jobs could not be released')
    }
  }
  return { stop: () => clearInterval(timer) }
}

const releaseOrphanedJobsStatement = `
  select array_agg(pool) as pools, graphile_worker.force_unlock_workers(array_agg(pool))
  from (
    select distinct locked_by as pool from graphile_worker.jobs
    where locked_at < now() - interval '${gracePeriod}' and not exists (
      select from pg_locks
      where locktype = 'advisory' and classid = ${lockClass} and objid = hashtext(locked_by)::oid
        and database = (select oid from pg_database where datname = current_database())
    )
  ) as dead
  having count(*) > 0`

const deleteFailedJobsStatement = `
  select graphile_worker.complete_jobs(array(
    select id from graphile_worker.jobs
    where attempts >= max_attempts and locked_at is null and run_at < now() - interval '${failedJobsKept}'
    limit 1000
  ))`
