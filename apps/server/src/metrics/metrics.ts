import { createServer } from 'node:http'
import { promisify } from 'node:util'
import type { Logger } from 'pino'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { listenAt } from '../platform/http/listen.ts'

/** The metrics for Prometheus. No label has a value that a caller chooses. */
export type Metrics = {
  registry: Registry
  /** Run `refresh` before each scrape. A failed group is left out of the scrape. */
  beforeScrape(refresh: () => Promise<void>): void
  /** The text of a scrape. */
  scrape(): Promise<string>
}

/** Add a gauge without labels, whose value is read at each scrape. */
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

/** Create the metrics of the process: memory, event loop delay, garbage collection, handles, and its build. */
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

/** Prometheus gives up a scrape after this time as well. */
const requestTimeoutMs = 10_000

/**
 * Serve `/metrics` on a port of its own, which no proxy publishes.
 * @throws StartProblem when the port cannot be used
 */
export async function serveMetrics(
  metrics: Metrics,
  { host, port, log }: { host: string; port: number; log: Logger },
): Promise<{ port: number; stop(): Promise<void> }> {
  const server = createServer({ requestTimeout: requestTimeoutMs }, (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end()
    metrics.scrape().then(
      (text) => response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text),
      (error: unknown) => {
        log.error({ err: error }, 'the metrics could not be read')
        response.writeHead(500).end()
      },
    )
  })
  const found = await listenAt(server, { host, port }, { port: 'METRICS_PORT', host: 'METRICS_HOST' })
  return {
    port: found,
    async stop() {
      server.closeAllConnections()
      await promisify(server.close.bind(server))()
    },
  }
}
