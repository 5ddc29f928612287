import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { after } from 'node:test'
import type { Database, Tables } from '../migrations/tables.ts'
import { createApp } from '../src/app.ts'
import type { PageChecks } from '../src/apps/apps-service.ts'
import { type Clock, systemClock } from '../src/platform/clock.ts'
import { type Config, readConfig } from '../src/platform/config.ts'
import { createDatabase, createPool } from '../src/platform/database.ts'
import { createLog } from '../src/platform/log.ts'
import { secureRandom } from '../src/platform/random.ts'
import { createTestDatabase } from './test-database.ts'

/** The address in links and the origin of pages; requests go to `base`, where the app really listens. */
export const publicAddress = 'http://parley.test'

export type TestApp = {
  base: string
  config: Config
  database: Database
  /** Every line logged so far. */
  logged: string[]
}

export type SettableClock = Clock & { set(at: string | Date): void; advance(ms: number): void }

export function createClock(start: string): SettableClock {
  let at = new Date(start)
  return {
    now: () => new Date(at),
    set(to) {
      at = new Date(to)
    },
    advance(ms) {
      at = new Date(at.getTime() + ms)
    },
  }
}

/** The whole app on a database of its own, listening. It ends with the test that called this, or with the file. */
export async function startApp({
  environment = {},
  clock = systemClock,
  checkPages,
}: {
  environment?: Record<string, string>
  clock?: Clock
  checkPages?: PageChecks
} = {}): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-app-'))
  const read = readConfig({ BASE_URL: publicAddress, DATA_DIR: dataDir, LOG_LEVEL: 'debug', ...environment })
  if (read.kind === 'refused') throw new Error(read.problems.join(' '))
  const { config } = read

  const logged: string[] = []
  const destination = new Writable({
    write(line, _encoding, done) {
      logged.push(String(line))
      done()
    },
  })
  const log = createLog({ level: config.logLevel, destination })
  const testDatabase = await createTestDatabase()
  const { connection } = testDatabase
  const pool = createPool({ connection, maxConnections: 8, statementTimeoutMs: 10_000, log })
  // The tests' own: two databases on one pool would name their statements alike.
  const database = createDatabase<Tables>(
    createPool({ connection, maxConnections: 2, statementTimeoutMs: 10_000, log }),
  )
  const secretKey = secureRandom.bytes(32)
  const world = { config, secretKey, pool, clock, random: secureRandom, log, version: 'test' }
  const app = createApp({ ...world, ...(checkPages !== undefined && { checkPages }) })
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.http.server.address() as AddressInfo

  after(async () => {
    await app.close()
    await Promise.all([pool.end(), database.destroy()])
    await testDatabase.drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  return { base: `http://127.0.0.1:${port}`, config, database, logged }
}
