import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { Counter, Gauge } from 'prom-client'
import { isPermanentFailure, type Mailer } from '../email/mail.ts'
import { databaseFailureCauses } from '../platform/database/database-failure.ts'
import type { DatabaseFailureLog } from '../platform/database/database-failure-log.ts'
import { defineStatement } from '../platform/database/define-statement.ts'
import type { AppJobs } from '../platform/jobs/module-jobs.ts'
import type { MediaEngine } from '../rooms/engine/media-engine.ts'
import { addGauge, type Metrics } from './metrics.ts'
import { observeQueuedJobs, observeTasks } from './observe-jobs.ts'
import { observeRequests } from './observe-requests.ts'

type Observed = {
  http: FastifyInstance
  pool: Pool
  databaseFailures: DatabaseFailureLog
  streams: { count(): number }
  engine: MediaEngine | undefined
  jobs: AppJobs
  webhookLoop: Parameters<typeof observeWebhooks>[2]
}

/** Observe requests, the database, jobs, rooms and webhooks, if there are metrics. @returns the jobs, counted when they run */
export function observeService(metrics: Metrics | undefined, observed: Observed): AppJobs {
  const { http, pool, databaseFailures, streams, engine, jobs, webhookLoop } = observed
  if (metrics === undefined) return jobs
  observeRequests(metrics, http, streams.count)
  observeDatabase(metrics, pool, databaseFailures)
  observeQueuedJobs(metrics, pool, Object.keys(jobs.mailTasks))
  observeRooms(metrics, pool, engine)
  observeWebhooks(metrics, pool, webhookLoop)
  return {
    ...jobs,
    ...observeTasks(metrics, { tasks: jobs.tasks, mailTasks: jobs.mailTasks, pushTasks: jobs.pushTasks }),
  }
}

/** Measure the connections of the pool, the requests that wait for one, and the failures of the database. */
export function observeDatabase(metrics: Metrics, pool: Pool, failures: DatabaseFailureLog) {
  const { registry, beforeScrape } = metrics
  const registers = [registry]
  new Counter({
    name: 'parley_database_failures_total',
    help: 'Requests that the database could not serve, by cause; they are answered 503',
    labelNames: ['cause'],
    registers,
    collect() {
      this.reset()
      // Every cause from the first scrape on: Prometheus counts no increase of a series that begins above zero.
      for (const cause of databaseFailureCauses) this.inc({ cause }, failures.countOf(cause))
    },
  })
  new Gauge({
    name: 'parley_database_connections',
    help: 'Connections of the pool, by state',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
    },
  })
  addGauge(metrics, 'parley_database_connections_max', 'Connections that the pool may have', () => pool.options.max)
  addGauge(metrics, 'parley_database_waiting', 'Statements that wait for a connection', () => pool.waitingCount)
  const up = new Gauge({
    name: 'parley_database_up',
    help: '1 while the database takes writes, 0 while it is away or read-only',
    registers,
  })
  beforeScrape(async () => {
    try {
      const { rows } = await pool.query<{ writable: boolean }>(
        `select not (pg_is_in_recovery() or current_setting('transaction_read_only')::boolean) as writable`,
      )
      up.set(rows[0]?.writable ? 1 : 0)
    } catch (error) {
      up.set(0)
      throw error
    }
  })
}

/**
 * Count the mails of a mailer, if there are metrics: `sent`, `refused` for good, or `deferred` to another attempt.
 */
export function observeMailer(metrics: Metrics | undefined, mailer: Mailer): Mailer {
  if (metrics === undefined) return mailer
  const mails = new Counter({
    name: 'parley_mails_total',
    help: 'Mails that were handed to the mail server, by outcome (sent, refused, deferred)',
    labelNames: ['outcome'],
    registers: [metrics.registry],
  })
  return {
    ...mailer,
    async deliver(mail) {
      try {
        await mailer.deliver(mail)
      } catch (error) {
        mails.inc({ outcome: isPermanentFailure(error) ? 'refused' : 'deferred' })
        throw error
      }
      mails.inc({ outcome: 'sent' })
    },
  }
}

/** Count the mails to REPLY_ADDRESS by outcome. Mails left to the mail server are not among them. */
export function observeInboundMail<Mail, Outcome extends string>(
  metrics: Metrics | undefined,
  outcomes: readonly Outcome[],
  receive: (mail: Mail) => Promise<Outcome>,
): (mail: Mail) => Promise<Outcome> {
  if (metrics === undefined) return receive
  const mails = new Counter({
    name: 'parley_inbound_mails_total',
    help: 'Mails to REPLY_ADDRESS, by outcome: recorded, or why they were dropped',
    labelNames: ['outcome'],
    registers: [metrics.registry],
  })
  // A rate needs a first value.
  for (const outcome of outcomes) mails.inc({ outcome }, 0)
  return async (mail) => {
    const outcome = await receive(mail)
    mails.inc({ outcome })
    return outcome
  }
}

const peopleStatement = defineStatement({
  name: 'count-people-in-rooms',
  parameters: {},
  columns: { rooms: 'integer', participants: 'integer', waiting: 'integer' },
  text: () => sql`select count(distinct meeting_id) filter (where entered_at is not null and left_at is null)::int as rooms,
    count(*) filter (where entered_at is not null and left_at is null)::int as participants,
    count(*) filter (where state in ('waiting_for_host', 'waiting') and seen_at > now() - interval '20 seconds')::int as waiting
  from admission
  where (entered_at is not null and left_at is null) or state in ('waiting_for_host', 'waiting')`,
})

const states = ['reachable', 'out of reach', 'none'] as const

/** Measure rooms and people of all instances, and whether this instance reaches the media engine. */
export function observeRooms({ registry, beforeScrape }: Metrics, pool: Pool, engine: MediaEngine | undefined) {
  const registers = [registry]
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers })
  const rooms = gauge('parley_rooms', 'Rooms with at least one participant')
  const participants = gauge('parley_participants', 'People in rooms')
  const waiting = gauge('parley_waiting', 'People who wait to be let into a room')
  const engines = new Gauge({
    name: 'parley_media_engine',
    help: '1 for the state of the media engine as this instance sees it (reachable, out_of_reach, none: not needed yet)',
    labelNames: ['state'],
    registers,
  })
  beforeScrape(async () => {
    const [people] = await peopleStatement.executeOn(pool, {})
    rooms.set(people?.rooms ?? 0)
    participants.set(people?.participants ?? 0)
    waiting.set(people?.waiting ?? 0)
    const found = await engine?.status()
    for (const state of states) engines.set({ state: state.replaceAll(' ', '_') }, state === found ? 1 : 0)
  })
}

/** Cap the count: exact values above this are not worth the scan. */
const maxCounted = 100_000

/**
 * The number of waiting deliveries, and the age of the queue that has been due longest: a step in the index for each
 * webhook that has queues. A queue with a running attempt is not due.
 */
const queueStatement = defineStatement({
  name: 'measure-webhook-queue',
  parameters: {},
  columns: { waiting: 'bigint', age: 'double precision' },
  text: () => sql`with recursive first (webhook_id, next_attempt_at) as (
      (select webhook_id, next_attempt_at from webhook_lane order by webhook_id, next_attempt_at limit 1)
      union all
      select l.webhook_id, l.next_attempt_at from first cross join lateral (
        select webhook_id, next_attempt_at from webhook_lane where webhook_id > first.webhook_id
        order by webhook_id, next_attempt_at limit 1
      ) l
    ) select
      (select count(*) from (select from webhook_delivery where state = 'waiting' limit ${sql.lit(maxCounted)}) w) as waiting,
      (select greatest(0, extract(epoch from now() - min(next_attempt_at)))::float from first) as age`,
})

type Deliveries<Outcome extends string> = {
  outcomes: readonly Outcome[]
  countOf(outcome: Outcome): number
  countRunning(): number
}

/** Measure the deliveries that wait in all instances, and the attempts of this instance. */
function observeWebhooks<Outcome extends string>(
  metrics: Metrics,
  pool: Pool,
  { outcomes, countOf, countRunning }: Deliveries<Outcome>,
) {
  const { registry, beforeScrape } = metrics
  const registers = [registry]
  const waiting = new Gauge({
    name: 'parley_webhook_deliveries_waiting',
    help: `Events that wait to be taken by a webhook, those between attempts included; at most ${maxCounted} are counted`,
    registers,
  })
  const oldest = new Gauge({
    name: 'parley_webhook_oldest_seconds',
    help: 'How long the oldest due delivery to a webhook has waited; 0: none is due',
    registers,
  })
  addGauge(metrics, 'parley_webhook_attempts_in_flight', 'Running attempts of this instance', countRunning)
  new Counter({
    name: 'parley_webhook_attempts_total',
    help: 'Attempts of this instance that have ended, by outcome (taken, refused, gone, aborted)',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset()
      // Every outcome from the first scrape on: Prometheus counts no increase of a series that begins above zero.
      for (const outcome of outcomes) this.inc({ outcome }, countOf(outcome))
    },
  })
  beforeScrape(async () => {
    const [queue] = await queueStatement.executeOn(pool, {})
    waiting.set(queue?.waiting ?? 0)
    oldest.set(queue?.age ?? 0)
  })
}
