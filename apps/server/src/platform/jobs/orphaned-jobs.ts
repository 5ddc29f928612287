import { sql } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import type { Logger } from 'pino'
import { defineStatement } from '../database/define-statement.ts'

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
const failedJobRetention = '30 days'

const lockStatement = defineStatement({
  name: 'hold-liveness-lock',
  parameters: { workerPoolId: 'text' },
  text: (p) => sql`select pg_try_advisory_lock_shared(${sql.lit(lockClass)}, hashtext(${p.workerPoolId}))`,
})

/**
 * Take the pool's liveness lock when the connection's first query is done. The lock is shared, so that a pool is not
 * blocked by its own former connection, which PostgreSQL may not know to be dead.
 */
export function holdLivenessLock(client: PoolClient, workerPoolId: string) {
  client.once('drain', () => {
    const lock = lockStatement.executeOn(client, { workerPoolId })
    // On failure the connection is lost, and the next one takes the lock.
    lock.catch(() => {})
  })
}

const otherInstancesStatement = defineStatement({
  name: 'find-other-instances',
  parameters: {},
  columns: { alive: 'boolean' },
  text: () => sql`select exists (
    select from pg_locks where locktype = 'advisory' and classid = ${sql.lit(lockClass)}
      and database = (select oid from pg_database where datname = current_database())) as alive`,
})

/** Whether another instance runs on the same database. Call it before this instance starts its jobs. */
export async function hasOtherInstances(pool: Pool): Promise<boolean> {
  const [found] = await otherInstancesStatement.executeOn(pool, {})
  return found?.alive === true
}

const releaseStatement = defineStatement({
  name: 'release-jobs',
  parameters: { workerPoolIds: 'text[]' },
  text: (p) => sql`select graphile_worker.force_unlock_workers(${p.workerPoolIds})`,
})

/** Unlock the remaining jobs of a worker pool of this process. */
export async function releaseJobs(pool: Pool, workerPoolId: string): Promise<void> {
  await releaseStatement.executeOn(pool, { workerPoolIds: [workerPoolId] })
}

const releaseOrphanedJobsStatement = defineStatement({
  name: 'release-orphaned-jobs',
  parameters: {},
  columns: { pools: 'text[]' },
  text: () => sql`with dead as (
    select array_agg(distinct locked_by) as pools from graphile_worker.jobs
    where locked_at < now() - ${sql.lit(gracePeriod)}::interval and not exists (
      select from pg_locks
      where locktype = 'advisory' and classid = ${sql.lit(lockClass)} and objid = hashtext(locked_by)::oid
        and database = (select oid from pg_database where datname = current_database())
    )
    having count(*) > 0
  ) select pools from dead, graphile_worker.force_unlock_workers(pools)`,
})

const deleteFailedJobsStatement = defineStatement({
  name: 'delete-failed-jobs',
  parameters: {},
  text: () => sql`select graphile_worker.complete_jobs(array(
    select id from graphile_worker.jobs
    where attempts >= max_attempts and locked_at is null and run_at < now() - ${sql.lit(failedJobRetention)}::interval
    limit 1000
  ))`,
})

/** Release the jobs of dead pools, and delete long-failed jobs: now and every half minute. */
export function startReleasingOrphanedJobs(pool: Pool, log: Logger): { stop(): void } {
  const timer = setInterval(releaseOrphanedJobs, intervalMs)
  void releaseOrphanedJobs()

  async function releaseOrphanedJobs() {
    try {
      const released = await releaseOrphanedJobsStatement.executeOn(pool, {})
      for (const { pools } of released) log.warn({ pools }, 'jobs of a process that died are run again')
      await deleteFailedJobsStatement.executeOn(pool, {})
    } catch (error) {
      log.debug({ err: error }, 'orphaned jobs could not be released')
    }
  }
  return { stop: () => clearInterval(timer) }
}
