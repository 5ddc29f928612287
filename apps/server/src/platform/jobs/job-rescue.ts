import type { Pool, PoolClient } from 'pg'
import type { Logger } from 'pino'

/**
 * A process that dies leaves its jobs locked, and graphile-worker gives such locks up after four hours. Here each worker
 * pool holds an advisory lock on the connection on which it listens, and PostgreSQL ends that with the process: a job
 * whose pool holds no such lock belongs to nobody.
 */
const lockClass = 727540

const rescueIntervalMs = 30_000
/** A pool takes its first jobs a moment before it listens, and loses its connection a moment before it has the next. */
const gracePeriod = '15 seconds'
/** Jobs that were given up are kept this long for whoever looks into it. */
const failedJobsKept = '30 days'

/**
 * Says that the pool is alive, once the connection is done with what it was opened for. Shared, so that a pool is not kept
 * out by its own former connection, which PostgreSQL may not know to be dead.
 */
export function markAsAlive(client: PoolClient, workerPoolId: string) {
  client.once('drain', () => {
    const lock = client.query('select pg_try_advisory_lock_shared($1, hashtext($2))', [lockClass, workerPoolId])
    // When this fails the connection is gone, and with the next one it is done again.
    lock.catch(() => {})
  })
}

/** Whether another instance runs on the same database. Ask before this one starts its jobs. */
export async function hasOtherInstances(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ alive: boolean }>(
    `select exists (select from pg_locks where locktype = 'advisory' and classid = $1
       and database = (select oid from pg_database where datname = current_database())) as alive`,
    [lockClass],
  )
  return rows[0]?.alive === true
}

/** Unlocks what a worker pool of this process has left. */
export async function giveJobsBack(pool: Pool, workerPoolId: string): Promise<void> {
  await pool.query('select graphile_worker.force_unlock_workers(array[$1])', [workerPoolId])
}

/** Every half minute, and at once, gives back the jobs of pools that died, and forgets those given up long ago. */
export function startRescue(pool: Pool, log: Logger): { stop(): void } {
  const timer = setInterval(rescue, rescueIntervalMs)
  void rescue()

  async function rescue() {
    try {
      const { rows } = await pool.query<{ pools: string[] }>(unlockJobsOfTheDead)
      for (const { pools } of rows) log.warn({ pools }, 'jobs of a process that died are run again')
      await pool.query(deleteFailedJobs)
    } catch (error) {
      log.debug({ err: error }, 'jobs could not be looked after')
    }
  }
  return { stop: () => clearInterval(timer) }
}

const unlockJobsOfTheDead = `
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

const deleteFailedJobs = `
  select graphile_worker.complete_jobs(array(
    select id from graphile_worker.jobs
    where attempts >= max_attempts and locked_at is null and run_at < now() - interval '${failedJobsKept}'
    limit 1000
  ))`
