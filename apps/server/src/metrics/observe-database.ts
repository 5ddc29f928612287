import type { Pool } from 'pg'
import { Counter, Gauge } from 'prom-client'
import { databaseFailureCauses } from '../platform/database/database-failure.ts'
import type { DatabaseFailureLog } from '../platform/database/database-failure-log.ts'
import { addGauge, type Metrics } from './create-metrics.ts'

/** How many connections the pool has, how many requests wait for one, and how many the database has failed. */
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
