import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { DatabaseFailureLog } from '../platform/database/database-failure-log.ts'
import type { AppJobs } from '../platform/jobs/module-jobs.ts'
import type { MediaEngine } from '../rooms/engine/media-engine.ts'
import type { Metrics } from './create-metrics.ts'
import { observeDatabase } from './observe-database.ts'
import { observeQueuedJobs, observeTasks } from './observe-jobs.ts'
import { observeRequests } from './observe-requests.ts'
import { observeRooms } from './observe-rooms.ts'
import { observeWebhooks } from './observe-webhooks.ts'

type Observed = {
  http: FastifyInstance
  pool: Pool
  databaseFailures: DatabaseFailureLog
  streams: { count(): number }
  engine: MediaEngine | undefined
  jobs: AppJobs
  webhookLoop: Parameters<typeof observeWebhooks>[2]
}

/** Observe requests, the database, jobs, rooms and webhooks, where there are metrics. @returns the jobs, counted as they run */
export function observeApp(metrics: Metrics | undefined, observed: Observed): AppJobs {
  const { http, pool, databaseFailures, streams, engine, jobs, webhookLoop } = observed
  if (metrics === undefined) return jobs
  observeRequests(metrics, http, streams.count)
  observeDatabase(metrics, pool, databaseFailures)
  observeQueuedJobs(metrics, pool, Object.keys(jobs.mailTasks))
  observeRooms(metrics, pool, engine)
  observeWebhooks(metrics, pool, webhookLoop)
  return { ...jobs, ...observeTasks(metrics, { tasks: jobs.tasks, mailTasks: jobs.mailTasks }) }
}
