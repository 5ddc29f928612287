import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createLog } from '../apps/server/src/platform/log.ts'
import { clusterOwner } from '../apps/server/src/platform/postgres/cluster.ts'
import { startEmbeddedPostgres } from '../apps/server/src/platform/postgres/embedded-postgres.ts'
import { type RunningProcess, startProcess } from './processes.ts'

/** One instance of the service with a database of its own. */
export type InstanceFixture = {
  parley: RunningProcess
  /** The environment that a further instance needs. */
  parleyEnvironment: Record<string, string>
  /** The main process of PostgreSQL. */
  postgresPid: number
  /** The key that encrypts the secrets of the prepared data. */
  secretKey: Buffer
  /** A connection with all rights and no time limits, for preparing data. */
  owner: pg.Client
  database: BenchDatabase
}
export type BenchFixture = InstanceFixture & { baseline: RunningProcess }

/** Start an instance and the baseline on one database, each in one process. */
export async function startFixture(started: AsyncDisposableStack): Promise<BenchFixture> {
  const instance = await startInstance(started)
  const baseline = await startProcess('bench/meetings/baseline.ts', instance.database.environment)
  started.defer(() => baseline.stop())
  return { ...instance, baseline }
}

/**
 * Start a private PostgreSQL with its usual settings (fsync is on) and `settings`, and the service in one process. They
 * use a temporary folder, listen on 127.0.0.1 or a Unix socket, and end with `started`.
 */
export async function startInstance(
  started: AsyncDisposableStack,
  environment: Record<string, string> = {},
  settings: Record<string, string> = {},
): Promise<InstanceFixture> {
  const dataDir = await makeFolder(started)
  const database = await startDatabase(dataDir, started, settings)
  const secretKey = randomBytes(32)
  const parleyEnvironment = {
    ...database.environment,
    PORT: '0',
    MEDIA_UDP_PORT: '0',
    DATA_DIR: dataDir,
    SECRET_KEY: secretKey.toString('hex'),
    RATE_LIMITS: 'off',
    ...environment,
  }
  const parley = await startProcess('apps/server/src/main.ts', parleyEnvironment)
  started.defer(() => parley.stop())
  return { parley, parleyEnvironment, postgresPid: database.pid, secretKey, owner: database.owner, database }
}

type BenchDatabase = {
  /** Environment of a process that uses the database. */
  environment: { DATABASE_URL: string }
  /** The main process of PostgreSQL. */
  pid: number
  /** A connection with all rights and no time limits. */
  owner: pg.Client
}

async function startDatabase(
  dataDir: string,
  started: AsyncDisposableStack,
  settings: Record<string, string> = {},
): Promise<BenchDatabase> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: createLog({ level: 'warn' }), settings })
  started.defer(() => postgres.stop())
  const { connection } = postgres
  const [pid] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n', 1)
  const query = new URLSearchParams({ host: connection.host, port: String(connection.port) })
  const address = `postgres://${connection.user}@localhost/${connection.database}?${query}`
  const owner = new pg.Client({ ...connection, user: clusterOwner })
  // PostgreSQL stops before this connection is closed when the run is interrupted.
  owner.on('error', () => {})
  await owner.connect()
  started.defer(() => owner.end())
  return { environment: { DATABASE_URL: address }, pid: Number(pid), owner }
}

/**
 * Create a temporary folder that `started` deletes. It is world-readable, because PostgreSQL may run as another user.
 */
export async function makeFolder(started: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  started.defer(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  return folder
}
