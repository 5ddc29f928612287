import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { findPostgresBinaries } from './postgres-binaries.ts'
import { CLUSTER_OWNER, ensureCluster } from './postgres-cluster.ts'
import { clusterName, readPidFile, stopLeftoverPostgres } from './postgres-leftovers.ts'
import { openPostgresLog, type PostgresLog } from './postgres-log.ts'
import { type PostgresProcess, startPostgresProcess } from './postgres-process.ts'
import { embeddedSettings } from './postgres-settings.ts'
import { makeSocketFolder, SOCKET_PORT } from './postgres-socket-folder.ts'
import { choosePostgresUser } from './postgres-user.ts'
import { StartProblem } from './start-problem.ts'

const DATABASE = 'parley'
const LOOK_INTERVAL_MS = 15
/** Replaying the log after a crash takes seconds; this is for a slow disk with a full log. */
const READY_LIMIT_MS = 300_000
/** A fast shutdown ends with a checkpoint, which a slow disk may hold up. An immediate one is as safe, but leaves a replay. */
const FAST_STOP_LIMIT_MS = 20_000
const IMMEDIATE_STOP_LIMIT_MS = 5_000

export type EmbeddedPostgres = {
  /** For pg.Pool. `ssl` and `options` are there so that PGSSLMODE and PGOPTIONS in the environment do not disturb it. */
  connection: {
    host: string
    port: number
    user: string
    password: string
    database: string
    ssl: false
    options: string
  }
  /** Shuts the server down: transactions under way are rolled back. Resolves when it has ended; may be called twice. */
  stop(): Promise<void>
  /** Resolves with a sentence if the server ends although nobody asked. */
  ended: Promise<string>
}

/**
 * Finds or makes the database cluster in `<dataDir>/postgres`, starts PostgreSQL on it, reachable by a Unix socket alone,
 * and makes the database `parley`. The caller holds the claim on the data folder.
 * What PostgreSQL says goes to `<dataDir>/postgres.log`.
 * @param options.settings settings of PostgreSQL that differ from ours, for tests and benchmarks
 * Throws a StartProblem, a sentence with PostgreSQL's last words if it said any.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string
  log: Logger
  settings?: Record<string, string>
}): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir)
  const cluster = join(dataDir, 'postgres')
  const binaries = await findPostgresBinaries()
  const runAs = await choosePostgresUser(dataDir, cluster, binaries.postgres)
  const log = await openPostgresLog(join(dataDir, 'postgres.log'))

  try {
    await ensureCluster(cluster, dataDir, binaries, runAs, log)
    const previous = await readPidFile(cluster)
    await stopLeftoverPostgres(cluster)
    const socketFolder = await makeSocketFolder(dataDir, runAs, previous.socketFolder)
    const settings = { ...embeddedSettings(socketFolder.path, await clusterName(cluster)), ...options.settings }
    const program = [
      binaries.postgres,
      '-D',
      cluster,
      ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`),
    ]
    const server = startPostgresProcess(runAs, program, log.descriptor)
    const connection = {
      host: socketFolder.path,
      port: SOCKET_PORT,
      user: CLUSTER_OWNER,
      password: '',
      database: DATABASE,
      ssl: false as const,
      options: '-c client_encoding=UTF8',
    }

    let stopping: Promise<void> | undefined
    const stop = async () => {
      await shutDown(server)
      await socketFolder.remove()
      await log.close()
    }
    try {
      await waitUntilReady(server, cluster, connection, log)
    } catch (error) {
      await shutDown(server)
      await socketFolder.remove()
      throw error
    }
    const { promise: ended, resolve: tellEnd } = Promise.withResolvers<string>()
    void server.ended.then(async (outcome) => {
      if (stopping === undefined) tellEnd(`PostgreSQL ended by itself (${outcome}):\n${await log.tail()}`)
    })
    return {
      connection,
      ended,
      stop() {
        stopping ??= stop()
        return stopping
      },
    }
  } catch (error) {
    await log.close()
    throw error
  }
}

type Connection = EmbeddedPostgres['connection']

async function waitUntilReady(server: PostgresProcess, cluster: string, connection: Connection, log: PostgresLog) {
  for (let waitedMs = 0; waitedMs < READY_LIMIT_MS; waitedMs += LOOK_INTERVAL_MS) {
    if (server.hasEnded()) {
      throw new StartProblem(`PostgreSQL did not start (${await server.ended}):\n${await log.tail()}`)
    }
    if ((await readPidFile(cluster)).isReady && (await ensureDatabase(connection))) return
    await sleep(LOOK_INTERVAL_MS)
  }
  throw new StartProblem(`PostgreSQL was not ready after ${READY_LIMIT_MS / 60_000} minutes:\n${await log.tail()}`)
}

/** Whether the server answers; when it does, the database is there. */
async function ensureDatabase(connection: Connection): Promise<boolean> {
  try {
    await runStatement(connection, 'SELECT 1')
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === UNKNOWN_DATABASE) {
      await runStatement({ ...connection, database: 'postgres' }, `CREATE DATABASE ${DATABASE}`)
      return true
    }
    if (typeof code === 'string' && NOT_READY.has(code)) return false
    throw error
  }
}

/** https://www.postgresql.org/docs/18/errcodes-appendix.html */
const UNKNOWN_DATABASE = '3D000'
const NOT_READY = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P03'])

async function runStatement(connection: Connection, statement: string) {
  const client = new pg.Client(connection)
  try {
    await client.connect()
    await client.query(statement)
  } finally {
    await client.end().catch(() => {})
  }
}

async function shutDown(server: PostgresProcess) {
  for (const [signal, limitMs] of [
    ['INT', FAST_STOP_LIMIT_MS],
    ['QUIT', IMMEDIATE_STOP_LIMIT_MS],
  ] as const) {
    server.signal(signal)
    const abort = new AbortController()
    const timeout = sleep(limitMs, 'late', { signal: abort.signal }).catch(() => 'over')
    if ((await Promise.race([server.ended, timeout])) !== 'late') return abort.abort()
  }
  server.signal('KILL')
  await server.ended
}
