import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createPool } from '../../src/platform/database/database.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { migrateJobs } from '../../src/platform/jobs/jobs.ts'
import { createLog } from '../../src/platform/log.ts'
import { startEmbeddedPostgres } from '../../src/platform/postgres/embedded-postgres.ts'

export type TestDatabase = {
  connection: pg.PoolConfig
  /** The same connection as a DATABASE_URL, for another process. */
  url: string
  drop(): Promise<void>
}

type Server = {
  connection: pg.ClientConfig
  /** One connection that creates and drops databases: a new one for each statement takes the server 5 ms. */
  administration: pg.Pool
  stop(): Promise<void>
}

const templateDatabase = 'parley_template'
/**
 * Durability is traded for speed; many test files share the server, each with its own pools. Autovacuum is off because
 * its worker cannot be disconnected from a database that is dropped, and the drop fails.
 */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_connections: '400',
}

let ownServer: Promise<Server> | undefined
let sharedServer: Server | undefined
let databasesInUse = 0

/**
 * Create a database with the migrated schema and no rows. The server is the one that scripts/run-tests.ts started
 * (TEST_DATABASE_SERVER), or one that this process starts and stops with its last database.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  databasesInUse++
  const shared = process.env.TEST_DATABASE_SERVER
  if (shared === undefined) ownServer ??= startTestServer()
  else sharedServer ??= serverAt(JSON.parse(shared) as pg.ClientConfig, async () => {})
  const server = sharedServer ?? (await ownServer)
  if (server === undefined) throw new Error('There is no server')
  const database = `test_${randomUUID().replaceAll('-', '')}`
  await server.administration.query(`create database ${database} template ${templateDatabase} strategy file_copy`)
  return {
    connection: { ...server.connection, database },
    url: urlOf({ ...server.connection, database }),
    async drop() {
      await server.administration.query(`drop database if exists ${database} with (force)`)
      databasesInUse--
      if (databasesInUse > 0) return
      const stopping = ownServer
      ownServer = undefined
      await (await stopping)?.stop()
    },
  }
}

/** Linux keeps this folder in memory. A database has about 900 files, which are copied there in a tenth of the time. */
const memory = '/dev/shm'
/** Space for the databases of a run and PostgreSQL's own files; containers often have 64 MiB. */
const minFreeBytes = 4 * 1024 ** 3

/** The parent of temporary test folders: in memory where there is enough space. */
export async function roomiestFolder(): Promise<string> {
  const space = await statfs(memory).catch(() => undefined)
  return space !== undefined && space.bavail * space.bsize >= minFreeBytes ? memory : tmpdir()
}

/** A PostgreSQL in a temporary folder, with the template database that each test's database copies. */
export async function startTestServer(): Promise<Server> {
  const dataDir = await mkdtemp(join(await roomiestFolder(), 'parley-test-'))
  const log = createLog({ level: 'warn' })
  const postgres = await startEmbeddedPostgres({ dataDir, log, settings })
  const server = serverAt(postgres.connection, async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  try {
    await server.administration.query(`create database ${templateDatabase}`)
    const connection = { ...server.connection, database: templateDatabase }
    const pool = createPool({ connection, maxConnections: 2, statementTimeoutMs: 60_000, log })
    await migrate(pool, fileURLToPath(new URL('../../migrations/', import.meta.url)), createLog({ level: 'silent' }))
    await migrateJobs(pool, log)
    await pool.end()
  } catch (error) {
    await server.stop()
    throw error
  }
  return server
}

function serverAt(connection: pg.ClientConfig, stop: () => Promise<void>): Server {
  const administration = new pg.Pool({ ...connection, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true })
  // A server that stops ends its idle connections.
  administration.on('error', () => {})
  return {
    connection,
    administration,
    async stop() {
      await administration.end()
      await stop()
    },
  }
}

function urlOf({ user, host, port, database }: pg.ClientConfig) {
  const query = new URLSearchParams({ host: String(host), port: String(port) })
  return `postgres://${user}@localhost/${database}?${query}`
}
