import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'

/** What Prometheus is told: no label has a value that a caller chooses. */
export type Metrics = {
  registry: Registry
  /** Run before each scrape; one that fails is left out of it. */
  beforeScrape(refresh: () => Promise<void>): void
  /** The text of a scrape. */
  scrape(): Promise<string>
}

/** A gauge without labels whose value is read at each scrape. */
export function addGauge({ registry }: Pick<Metrics, 'registry'>, name: string, help: string, read: () => number) {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read())
    },
  })
}

/** Metrics of the process: memory, event loop delay, garbage collection, handles; and which build it is. */
export function createMetrics({ version }: { version: string }): Metrics {
  const registry = new Registry()
  const refreshes: (() => Promise<void>)[] = []
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'parley_build_info',
    help: 'Always 1; the labels say which build runs',
    labelNames: ['version', 'node'],
    registers: [registry],
  }).set({ version, node: process.versions.node }, 1)
  const failures = new Gauge({
    name: 'parley_scrape_failures',
    help: 'Groups of metrics that could not be read for this scrape, such as those of a database that is away',
    registers: [registry],
  })
  return {
    registry,
    beforeScrape: (refresh) => void refreshes.push(refresh),
    async scrape() {
      const results = await Promise.allSettled(refreshes.map((refresh) => refresh()))
      failures.set(results.filter(({ status }) => status === 'rejected').length)
      return registry.metrics()
    },
  }
}
