import { sql } from 'kysely'
import type { Pool } from 'pg'
import { Counter, Gauge } from 'prom-client'
import { defineStatement } from '../platform/database/define-statement.ts'
import { addGauge, type Metrics } from './create-metrics.ts'

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

/** What waits for webhooks, for all instances alike, and the attempts of this one. */
export function observeWebhooks<Outcome extends string>(
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
    help: 'For how long the delivery to a webhook that has been due longest has been; 0: none is due',
    registers,
  })
  addGauge(metrics, 'parley_webhook_attempts_in_flight', 'Attempts of this instance that are under way', countRunning)
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
