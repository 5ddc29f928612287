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
import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Executor } from '../database/database.ts'
import { defineStatement, type Fragment } from '../database/define-statement.ts'
import { withMigrationLock } from '../database/migrate.ts'
import { typed } from '../database/tables.ts'
import { createLogLineLimit } from '../log.ts'
import { endOperation, type Operation, operations, readTraceparent, type Tracing, traceIdOf } from '../operation.ts'
import { withTimeout } from '../with-timeout.ts'
import { holdLivenessLock, releaseJobs, startReleasingOrphanedJobs } from './orphaned-jobs.ts'

export type Job = {
  task: string
  /** Any JSON value. The payload is stored in plain text: encrypt secrets before. */
  payload: unknown
  /** Replaces a waiting job with the same key. */
  key?: string
  /** The replacing job keeps the run time of the replaced one. */
  keepsRunAt?: boolean
  /** Absent: right after the commit. */
  runAt?: Date
  /** Instead of `runAt`: a delay by the database's clock, which jobs use. */
  delayMs?: number
  /** Jobs of one queue run one after the other. Use few names: each is a row. */
  queue?: string
  /** 25 when absent. graphile-worker retries e^n seconds after the nth failure, at most e^10 (six hours). */
  maxAttempts?: number
  /** Smaller numbers run first; 0 when absent. */
  priority?: number
}

type JobQueue = {
  /**
   * Queue a job in the caller's transaction. The job runs after the commit, at least once, and not at all after a
   * rollback.
   */
  add(executor: Executor, job: Job): Promise<void>
}

/** A job may run twice, when its process died before recording its completion: tasks must be idempotent. */
export type TaskOfJob = (payload: unknown, running: RunningJob) => Promise<void>

export type Tasks = Record<string, TaskOfJob>

/** Tasks by the workers that run them. */
export type TaskGroups = {
  tasks: Tasks
  /** Tasks that wait for mail servers: a slow one holds up no other job. */
  mailTasks: Tasks
  /** Tasks that wait for addresses that a person names: these hold up no email. */
  pushTasks: Tasks
}

/**
 * The properties of graphile-worker's job that tasks use. Its type declares ids as strings, but our connections read
 * them as numbers.
 */
export type RunningJob = { job: { id: string | number } }

export type RunningJobs = {
  /** Stop taking jobs, let running ones finish for some seconds, and release the rest. */
  stop(): Promise<void>
}

/** The parts of a statement that queues a job for each row that it has written. */
type JobsOfRows = {
  task: string
  /** Expressions over the rows. */
  payload: Fragment
  priority: Fragment
  /** An expression for the key: a waiting job with the same key is replaced. Absent: no key. */
  key?: Fragment
  /** A table expression. */
  rows: Fragment
  maxAttempts: number
}

/**
 * Build an expression that queues a job for each row in the statement that writes the rows: one round trip, and both
 * are written or neither.
 */
export const jobsOfRows = ({
  task,
  payload,
  priority,
  key = sql`null`,
  rows,
  maxAttempts,
}: JobsOfRows): Fragment => sql`(select count(*)
  from (select array(select row(${sql.lit(task)}, ${payload}, null, null, ${sql.lit(maxAttempts)}, ${key}, ${priority}, null)
    ::graphile_worker.job_spec from ${rows}) as specs) as queued, graphile_worker.add_jobs(queued.specs)
  where cardinality(queued.specs) > 0)`

/** Waiting longer for jobs would take time from the requests that are being drained. */
const stopLimitMs = 4_000
const restartDelayMs = 2_000

const addStatement = defineStatement({
  name: 'add-job',
  parameters: {
    task: 'text',
    payload: typed<string>('json'),
    key: 'text?',
    runAt: 'timestamptz?',
    delayMs: 'double precision?',
    queue: 'text?',
    maxAttempts: 'integer?',
    priority: 'integer?',
    keyMode: 'text',
  },
  text: (p) => sql`select graphile_worker.add_job(identifier => ${p.task}, payload => ${p.payload}, job_key => ${p.key},
    run_at => coalesce(${p.runAt}, now() + ${p.delayMs} * interval '1 millisecond'),
    queue_name => ${p.queue}, max_attempts => ${p.maxAttempts}, priority => ${p.priority}, job_key_mode => ${p.keyMode})`,
})

/** Keyed, so that instances that start together queue it once. */
const addAtStartStatement = defineStatement({
  name: 'add-job-at-start',
  parameters: { task: 'text' },
  text: (p) => sql`select graphile_worker.add_job(identifier => ${p.task}, job_key => ${p.task}, max_attempts => 1)`,
})

export const jobQueue: JobQueue = {
  async add(executor, { task, payload, key, keepsRunAt = false, runAt, delayMs, queue, maxAttempts, priority }) {
    await addStatement.execute(executor, {
      task,
      payload: JSON.stringify(addTraceparent(payload)),
      key: key ?? null,
      runAt: runAt ?? null,
      delayMs: delayMs ?? null,
      queue: queue ?? null,
      maxAttempts: maxAttempts ?? null,
      priority: priority ?? null,
      keyMode: keepsRunAt ? 'preserve_run_at' : 'replace',
    })
  },
}

const removeStatement = defineStatement({
  name: 'remove-job',
  parameters: { key: 'text' },
  text: (p) => sql`select from graphile_worker.remove_job(${p.key})`,
})

/** Remove the waiting job with this key. */
export const removeJob = (executor: Executor, key: string) => removeStatement.execute(executor, { key })

/** Create or upgrade the tables of jobs. Uses two connections of the pool. */
export async function migrateJobs(pool: Pool, log: Logger): Promise<void> {
  await withMigrationLock(pool, log, () => runMigrations({ pgPool: pool, logger: quietLogger(log) }))
}

/**
 * Run the jobs of these tasks, `concurrency` at a time. Take one connection of the pool to listen for new jobs, and one
 * for each running job. Wait while the database is unavailable; a failure in this function never ends the process.
 */
export async function startJobs(options: {
  pool: Pool
  tasks: Tasks
  /**
   * Names of tasks that run each hour, in one instance; runs that were missed while no instance ran are not repeated.
   */
  hourly?: readonly string[]
  /** Names of tasks that run each minute, in one instance. */
  minutely?: readonly string[]
  /** Names of tasks that run once at startup. */
  atStart?: readonly string[]
  log: Logger
  concurrency: number
}): Promise<RunningJobs> {
  const { pool, tasks, hourly = [], minutely = [], atStart = [], log, concurrency } = options
  const parsedCronItems = parseCronItems([
    ...hourly.map((task) => ({ task, match: '17 * * * *', identifier: task })),
    // A failed run is not retried: the next minute runs the task again.
    ...minutely.map((task) => ({ task, match: '* * * * *', identifier: task, options: { maxAttempts: 1 } })),
  ])
  await migrateJobs(pool, log)
  for (const task of atStart) await addAtStartStatement.executeOn(pool, { task })

  const stopping = new AbortController()
  const orphanedJobs = startReleasingOrphanedJobs(pool, log)
  let runner: Runner | undefined
  let workerPoolId: string | undefined

  /** graphile-worker ends when the database fails while it marks a job as done: start it again. */
  async function keepRunning() {
    while (!stopping.signal.aborted) {
      try {
        if (workerPoolId !== undefined) await releaseJobs(pool, workerPoolId)
        runner = await run({
          pgPool: pool,
          taskList: tasks,
          concurrency,
          parsedCronItems,
          noHandleSignals: true,
          logger: quietLogger(log),
          events: listenTo(log, (id) => {
            workerPoolId = id
          }),
          // Without batches, a failure to mark a job as done is an unhandled rejection.
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
      orphanedJobs.stop()
      runner?.stop().catch(() => {})
      await withTimeout(stopLimitMs, () => ended)
      if (workerPoolId !== undefined) await releaseJobs(pool, workerPoolId).catch(() => {})
    },
  }
}

function listenTo(log: Logger, nameWorkerPool: (id: string) => void): WorkerEvents {
  const events: WorkerEvents = new EventEmitter()
  const lineLimit = createLogLineLimit()
  events.on('pool:create', ({ workerPool }) => nameWorkerPool(workerPool.id))
  events.on('pool:listen:success', ({ workerPool, client }) => holdLivenessLock(client, workerPool.id))
  events.on('pool:listen:error', ({ error }) => log.warn({ err: error }, 'cannot listen for new jobs: polling instead'))
  events.on('job:error', ({ job, error }) => {
    const { task_identifier: task, id: jobId, attempts: attempt, max_attempts: maxAttempts } = job
    const names = { ...namesOfJob(job), task, jobId }
    if (attempt < maxAttempts) {
      const line = lineLimit.admit(task)
      if (line !== undefined)
        log.warn({ ...names, attempt, maxAttempts, ...line, err: error }, 'a job failed; it is tried again')
    } else log.error({ ...names, attempt, err: error }, 'a job failed for the last time and is given up')
  })
  return events
}

/** Drop graphile-worker's own messages, which contain whole jobs; the important ones are logged above. */
const quietLogger = (log: Logger) =>
  new GraphileLogger(() => (level, message) => log.debug({ source: 'graphile-worker', severity: level }, message))

/**
 * Wrap the tasks of jobs so that each runs as an operation of its own, in the trace of the request or job that queued
 * it.
 */
export function runInOperations<Jobs extends TaskGroups>(jobs: Jobs, tracing: Tracing | undefined): Jobs {
  const wrap = (tasks: Tasks): Tasks =>
    Object.fromEntries(Object.entries(tasks).map(([task, run]) => [task, runInOperation(task, run, tracing)]))
  return { ...jobs, tasks: wrap(jobs.tasks), mailTasks: wrap(jobs.mailTasks), pushTasks: wrap(jobs.pushTasks) }
}

function runInOperation(task: string, run: TaskOfJob, tracing: Tracing | undefined): TaskOfJob {
  return async (queued, running) => {
    const { payload, traceparent: sent } = takeTraceparent(queued)
    const received = readTraceparent(sent)
    const { id: jobId } = running.job
    const span = tracing?.startSpan(startOfJob(task, jobId), received)
    const traceparent = span?.traceparent ?? received
    const names = { task, jobId, ...(traceparent !== undefined && { traceId: traceIdOf(traceparent) }) }
    const operation: Operation = { names, traceparent, span: span?.isRecorded ? span : undefined }
    try {
      await operations.run(operation, () => run(payload, running))
      span?.end()
    } catch (error) {
      span?.end({ error })
      keepNamesOfJob(running.job, names)
      throw error
    } finally {
      endOperation(operation)
    }
  }
}

/** https://opentelemetry.io/docs/specs/semconv/messaging/messaging-spans/ */
const startOfJob = (task: string, jobId: string | number) =>
  ({
    name: `process ${task}`,
    kind: 'consumer',
    attributes: {
      'messaging.system': 'graphile_worker',
      'messaging.operation.type': 'process',
      'messaging.operation.name': 'process',
      'messaging.destination.name': task,
      'messaging.message.id': String(jobId),
    },
  }) as const

/** Add the current operation's trace to the payload of a job. Tasks do not see it (`runInOperation`). */
export function addTraceparent(payload: unknown): unknown {
  const traceparent = currentTraceparent()
  if (traceparent === undefined || !isObject(payload)) return payload
  return { ...payload, traceparent }
}

/** For statements that write the payload themselves. */
export const currentTraceparent = (): string | undefined => operations.getStore()?.traceparent

/** Separate the payload from the trace. */
export function takeTraceparent(payload: unknown): { payload: unknown; traceparent: unknown } {
  if (!isObject(payload) || !('traceparent' in payload)) return { payload, traceparent: undefined }
  const { traceparent, ...rest } = payload
  return { payload: rest, traceparent }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The names of failed jobs' operations, until their failure is logged. */
const namesByJob = new WeakMap<object, Operation['names']>()

export const keepNamesOfJob = (job: object, names: Operation['names']) => void namesByJob.set(job, names)
export const namesOfJob = (job: object): Operation['names'] => namesByJob.get(job) ?? {}
