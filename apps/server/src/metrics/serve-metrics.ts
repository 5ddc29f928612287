import { createServer } from 'node:http'
import { promisify } from 'node:util'
import type { Logger } from 'pino'
import { listenAt } from '../platform/http/listen.ts'
import type { Metrics } from './create-metrics.ts'

/** A scrape that takes longer is given up by Prometheus as well. */
const requestTimeoutMs = 10_000

/**
 * Serves `/metrics` on a port of its own, which no proxy publishes.
 * @returns how to stop it
 * @throws StartProblem when the port cannot be had
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
