import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { PoolConfig } from 'pg'
import type { Logger } from 'pino'
import { createApp } from './app.ts'
import type { Clock } from './platform/clock.ts'
import { type Config, readOrMakeSecretKey } from './platform/config.ts'
import { claimDataFolder } from './platform/data-folder.ts'
import { createPool } from './platform/database.ts'
import { startEmbeddedPostgres } from './platform/embedded-postgres.ts'
import { migrate } from './platform/migrate.ts'
import type { Random } from './platform/random.ts'

/** Enough to keep two cores busy; each connection costs PostgreSQL a process. */
const maxConnections = 16

/** Every statement of a request takes milliseconds; one that takes seconds holds up the rest. */
const statementTimeoutMs = 4_000

/** Long enough for a load balancer to see that `/readyz` says no, and for kept connections to be closed by an answer. */
const drainMs = 1_000

export type RunningService = {
  /** Where it listens, as a person would type it. */
  address: string
  /** Resolves with a sentence when the service cannot go on. */
  failed: Promise<string>
  /** Answers what is under way, takes nothing new, and ends. */
  stop(): Promise<void>
}

type Parts = { config: Config; clock: Clock; random: Random; log: Logger }

/**
 * Starts everything in order, and on any failure stops what was started.
 * @throws StartProblem with a sentence for the operator
 */
export async function startService({ config, clock, random, log }: Parts): Promise<RunningService> {
  const started = new AsyncDisposableStack()
  try {
    const { connection, ended } = await startDatabase(config, log, started)
    const secretKey = config.secretKey ?? (await readOrMakeSecretKey(config.dataDir, random))
    const pool = createPool({ connection, maxConnections, statementTimeoutMs, log })
    started.defer(() => pool.end())
    await migrate(pool, fileURLToPath(new URL('../migrations/', import.meta.url)), log)

    const app = createApp({ config, secretKey, pool, clock, random, log, version: await readVersion() })
    started.defer(() => app.close())
    await app.http.listen({ port: config.port, host: config.host })
    const { port } = app.http.server.address() as AddressInfo

    return {
      address: `http://${config.host === '127.0.0.1' ? 'localhost' : config.host}:${port}`,
      failed: ended,
      async stop() {
        app.drain()
        await sleep(drainMs)
        await started.disposeAsync()
      },
    }
  } catch (error) {
    await started.disposeAsync()
    throw error
  }
}

/** The operator's own PostgreSQL, or the private one in the data folder; from here on both are the same. */
async function startDatabase(config: Config, log: Logger, started: AsyncDisposableStack) {
  if (config.databaseUrl !== undefined) {
    const connection: PoolConfig = { connectionString: config.databaseUrl }
    return { connection, ended: new Promise<string>(() => {}) }
  }
  const folder = await claimDataFolder(config.dataDir)
  started.defer(() => folder.release())
  const postgres = await startEmbeddedPostgres({ dataDir: folder.path, log })
  started.defer(() => postgres.stop())
  return { connection: postgres.connection, ended: postgres.ended }
}

async function readVersion(): Promise<string> {
  const file = join(import.meta.dirname, '../package.json')
  return JSON.parse(await readFile(file, 'utf8')).version
}
