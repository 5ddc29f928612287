import type { Pool } from 'pg'
import { Gauge } from 'prom-client'
import type { Metrics } from './create-metrics.ts'

/** How many connections the pool has, and how many requests wait for one. */
export function observeDatabase({ registry, beforeScrape }: Metrics, pool: Pool) {
  const registers = [registry]
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
  new Gauge({
    name: 'parley_database_connections_max',
    help: 'Connections that the pool may have',
    registers,
    collect() {
      this.set(pool.options.max)
    },
  })
  new Gauge({
    name: 'parley_database_waiting',
    help: 'Statements that wait for a connection',
    registers,
    collect() {
      this.set(pool.waitingCount)
    },
  })
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
