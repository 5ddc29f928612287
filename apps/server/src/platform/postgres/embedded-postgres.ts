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
  /** Shuts the server down: transactions under way are rolled back. Resolves when it has ended; may be called twice. */
  stop(): Promise<void>
  /** The same, but its address is kept for the next one to be started at. */
  halt(): Promise<SocketFolder>
  /** Resolves with a sentence if the server ends although nobody asked. */
  ended: Promise<string>
}

type Options = {
  dataDir: string
  log: Logger
  /** Where the server before this one was found; a new place when absent. */
  address?: SocketFolder
  /** Settings of PostgreSQL that differ from ours, for tests and benchmarks. */
  settings?: Record<string, string>
}

/**
 * Finds or makes the database cluster in `<dataDir>/postgres`, starts PostgreSQL on it, reachable by a Unix socket alone,
 * and makes the database `parley`. The caller holds the claim on the data folder (claimDataFolder), which is what
 * entitles this function to stop a PostgreSQL that a killed Parley left behind.
 * What PostgreSQL says goes to `<dataDir>/postgres.log`.
 * Throws a StartProblem: a sentence, with PostgreSQL's last words if it said any.
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
