import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import { StartProblem } from '../start-problem.ts'
import { findPostgresBinaries } from './binaries.ts'
import { ensureCluster } from './cluster.ts'
import { clusterName, stopLeftoverPostgres } from './leftovers.ts'
import { openPostgresLog, type PostgresLog } from './log.ts'
import { startPostgresProcess } from './process.ts'
import { type PostgresConnection, serviceConnection, waitUntilReady } from './readiness.ts'
import { embeddedSettings } from './settings.ts'
import { makeSocketFolder, type SocketFolder } from './socket-folder.ts'
import { choosePostgresUser } from './user.ts'

export type EmbeddedPostgres = {
  /** For pg.Pool. */
  connection: PostgresConnection
  /** Shut the server down: running transactions are rolled back. Resolves when it has ended; idempotent. */
  stop(): Promise<void>
  /** Shut down, but keep the socket folder for the next server. */
  halt(): Promise<SocketFolder>
  /** Resolves with a sentence if the server ends unexpectedly. */
  ended: Promise<string>
}

type Options = {
  dataDir: string
  log: Logger
  /** The socket folder of the previous server; a new one when absent. */
  address?: SocketFolder
  /** PostgreSQL settings that override ours, for tests and benchmarks. */
  settings?: Record<string, string>
}

/**
 * Find or create the database cluster in `<dataDir>/postgres`, start PostgreSQL on it, reachable by a Unix socket only,
 * and create the database `parley`. The caller must hold the lock on the data folder (claimDataFolder), which entitles
 * this function to stop a PostgreSQL that a killed Parley left behind. PostgreSQL logs to `<dataDir>/postgres.log`.
 * Throws a StartProblem with a sentence that includes PostgreSQL's last log lines.
 */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir)
  let postgresLog: PostgresLog | undefined
  try {
    postgresLog = await openPostgresLog(join(dataDir, 'postgres.log'))
    return await start(dataDir, postgresLog, options)
  } catch (cause) {
    await postgresLog?.close()
    if (cause instanceof StartProblem) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StartProblem(`PostgreSQL could not be started in ${dataDir}: ${reason}`, { cause })
  }
}

async function start(
  dataDir: string,
  postgresLog: PostgresLog,
  { log, address, settings }: Options,
): Promise<EmbeddedPostgres> {
  const cluster = join(dataDir, 'postgres')
  const binaries = await findPostgresBinaries()
  const runAs = await choosePostgresUser(dataDir, cluster, binaries.postgres)
  await ensureCluster({ cluster, dataDir, initdb: binaries.initdb, runAs, postgresLog, log })
  await stopLeftoverPostgres(cluster, log)

  await address?.empty()
  const socketFolder = address ?? (await makeSocketFolder(dataDir, runAs))
  const connection = serviceConnection(socketFolder.path)
  const allSettings = { ...embeddedSettings(socketFolder.path, await clusterName(cluster)), ...settings }
  const words = Object.entries(allSettings).map(([name, value]) => `--${name}=${value}`)
  const server = startPostgresProcess(runAs, [binaries.postgres, '-D', cluster, ...words], postgresLog.descriptor)
  try {
    await waitUntilReady(server, cluster, connection, postgresLog)
  } catch (error) {
    await server.shutDown()
    if (address === undefined) await socketFolder.remove()
    throw error
  }
  log.info({ cluster, socket: socketFolder.path, runAs }, 'PostgreSQL is ready')

  let halted: Promise<SocketFolder> | undefined
  const ended = Promise.withResolvers<string>()
  void server.ended.then(async (outcome) => {
    if (halted === undefined) ended.resolve(`PostgreSQL ended by itself (${outcome}).${await postgresLog.lastWords()}`)
  })
  const shutDown = async () => {
    await server.shutDown()
    await postgresLog.close()
    return socketFolder
  }
  const halt = () => {
    halted ??= shutDown()
    return halted
  }
  return { connection, ended: ended.promise, halt, stop: async () => (await halt()).remove() }
}
