import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  Logger as GraphileLogger,
  parseCronItems,
  type Runner,
  run,
  runMigrations,
  type WorkerEvents,
} from 'graphile-worker'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { type Executor, statement } from '../database/database.ts'
import { withMigrationLock } from '../database/migrate.ts'
import { withTimeout } from '../with-timeout.ts'
import { giveJobsBack, markAsAlive, startRescue } from './job-rescue.ts'
import { addTraceparent, namesOfJob } from './job-trace.ts'

export type Job = {
  task: string
  /** Anything that JSON can say. It lies in the database as it is: what is secret is sealed before. */
  payload: unknown
  /** A job that waits with the same key is replaced, not doubled. */
  key?: string
  /** The one that replaces it runs when the one that waited was to. */
  keepsRunAt?: boolean
  /** Absent: at once, after the commit. */
  runAt?: Date
  /** In place of `runAt`: so long after this moment by the database's clock, which jobs go by. */
  delayMs?: number
  /** Jobs of one queue run one after the other. Few names only: each is a row. */
  queue?: string
  maxAttempts?: number
  /** The smaller goes first; 0 when absent. */
  priority?: number
}

export type JobQueue = {
  /** Queues a job in the caller's transaction: it runs after the commit, at least once, and not at all after a rollback. */
  add(executor: Executor, job: Job): Promise<void>
}

/** A job may run twice, when a process died after doing and before saying so: it bears that, or asks first. */
export type Task = (payload: unknown) => Promise<void>

/** A task that asks which job it runs for. */
export type TaskOfJob = (payload: unknown, running: RunningJob) => Promise<void>

/**
 * What graphile-worker tells a task about the job that it runs, as far as tasks use it. Its type says that ids are texts;
 * they are read as numbers by our connections.
 */
export type RunningJob = { job: { id: string | number } }

export type RunningJobs = {
  /** Takes no more jobs, lets those that run finish for some seconds, and gives back the rest. */
  stop(): Promise<void>
}

/** The parts of a statement that queues a job for each of the rows that it has just written. */
export type JobsOfRows = {
  task: string
  /** Expressions over the rows; text is quoted as SQL wants it. */
  payload: string
  priority: string
  /** A job that waits with the same key is replaced. Null: there is none. */
  key?: string
  /** A table expression. */
  rows: string
  maxAttempts: number
}

/**
 * An expression that queues a job for each row, in the statement that writes the rows: no second round trip, and neither
 * without the other.
 */
export const jobsOfRows = ({
  task,
  payload,
  priority,
  key = 'null',
  rows,
  maxAttempts,
}: JobsOfRows) => `(select count(*)
  from (select array(select row('${task}', ${payload}, null, null, ${maxAttempts}, ${key}, ${priority}, null)
    ::graphile_worker.job_spec from ${rows}) as specs) as queued, graphile_worker.add_jobs(queued.specs)
  where cardinality(queued.specs) > 0)`

/** Past this, waiting on a job would cost the requests that are being drained their time. */
const stopLimitMs = 4_000
const restartDelayMs = 2_000

const insertJob = statement(
  'add-job',
  `select graphile_worker.add_job(identifier => $1, payload => $2::json, job_key => $3,
    run_at => coalesce($4::timestamptz, now() + $8::double precision * interval '1 millisecond'),
    queue_name => $5, max_attempts => $6::int, priority => $7::int, job_key_mode => $9)`,
)

/** Several instances that start together need it once. */
const addJobAtStart = 'select graphile_worker.add_job(identifier => $1, job_key => $1, max_attempts => 1)'

export const jobQueue: JobQueue = {
  async add(executor, { task, payload, key, keepsRunAt = false, runAt, delayMs, queue, maxAttempts, priority }) {
    const mode = keepsRunAt ? 'preserve_run_at' : 'replace'
    const sent = JSON.stringify(addTraceparent(payload))
    const values = [task, sent, key, runAt, queue, maxAttempts, priority, delayMs, mode]
    await insertJob(executor, values)
  },
}

/** Makes or upgrades the tables that jobs are kept in. Takes two connections of the pool. */
export async function migrateJobs(pool: Pool, log: Logger): Promise<void> {
  await withMigrationLock(pool, log, () => runMigrations({ pgPool: pool, logger: quietly(log) }))
}

/**
 * Runs the jobs of these tasks, `concurrency` at a time, taking a connection of the pool to hear of new ones and
 * another for each. A database that is away is waited for; no failure in here ends the process.
 */
export async function startJobs(options: {
  pool: Pool
  tasks: Record<string, TaskOfJob>
  /** Names of tasks that run each hour, by one instance; what was missed while nobody ran is not made up for. */
  hourly?: readonly string[]
  /** The same for each minute. */
  minutely?: readonly string[]
  /** Names of tasks that run once, now. */
  atStart?: readonly string[]
  log: Logger
  concurrency: number
}): Promise<RunningJobs> {
  const { pool, tasks, hourly = [], minutely = [], atStart = [], log, concurrency } = options
  const parsedCronItems = parseCronItems([
    ...hourly.map((task) => ({ task, match: '17 * * * *', identifier: task })),
    // One that was missed is of no use to the next.
    ...minutely.map((task) => ({ task, match: '* * * * *', identifier: task, options: { maxAttempts: 1 } })),
  ])
  await migrateJobs(pool, log)
  for (const task of atStart) await pool.query(addJobAtStart, [task])

  const stopping = new AbortController()
  const rescue = startRescue(pool, log)
  let runner: Runner | undefined
  let workerPoolId: string | undefined

  /** After a database that went away while a job was being marked as done, graphile-worker ends: it is started again. */
  async function keepRunning() {
    while (!stopping.signal.aborted) {
      try {
        if (workerPoolId !== undefined) await giveJobsBack(pool, workerPoolId)
        runner = await run({
          pgPool: pool,
          taskList: tasks,
          concurrency,
          parsedCronItems,
          noHandleSignals: true,
          logger: quietly(log),
          events: listenTo(log, (id) => {
            workerPoolId = id
          }),
          // Without a batch, a failure to mark a job as done is a rejection that nobody handles.
          preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
        })
        if (stopping.signal.aborted) await runner.stop()
        await runner.promise
      } catch (error) {
        log.warn({ err: error }, 'jobs have stopped and will be started again')
      }
      await sleep(restartDelayMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const ended = keepRunning()

  return {
    async stop() {
      stopping.abort()
      rescue.stop()
      runner?.stop().catch(() => {})
      await withTimeout(stopLimitMs, () => ended)
      if (workerPoolId !== undefined) await giveJobsBack(pool, workerPoolId).catch(() => {})
    },
  }
}

function listenTo(log: Logger, nameWorkerPool: (id: string) => void): WorkerEvents {
  const events: WorkerEvents = new EventEmitter()
  events.on('pool:create', ({ workerPool }) => nameWorkerPool(workerPool.id))
  events.on('pool:listen:success', ({ workerPool, client }) => markAsAlive(client, workerPool.id))
  events.on('pool:listen:error', ({ error }) => log.warn({ err: error }, 'jobs are not heard of; they are looked for'))
  events.on('job:error', ({ job, error }) => {
    const { task_identifier: task, id: jobId, attempts: attempt, max_attempts: maxAttempts } = job
    const names = { ...namesOfJob(job), task, jobId }
    if (attempt < maxAttempts)
      log.warn({ ...names, attempt, maxAttempts, err: error }, 'a job failed; it is tried again')
    else log.error({ ...names, attempt, err: error }, 'a job failed for the last time and is given up')
  })
  return events
}

/** What is worth a line is logged above; graphile-worker's own messages hold whole jobs. */
const quietly = (log: Logger) =>
  new GraphileLogger(() => (level, message) => log.debug({ source: 'graphile-worker', severity: level }, message))
