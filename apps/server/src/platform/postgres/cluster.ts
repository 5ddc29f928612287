import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { syncFolder } from '../atomic-file.ts'
import { StartProblem } from '../start-problem.ts'
import { type PostgresLog, startPostgresProcess } from './postgres-process.ts'
import { giveToPostgres, type RunAs } from './user.ts'

/** The superuser, which creates the service's user and database. */
export const clusterOwner = 'postgres'
/** The major version of the npm packages: a cluster can only be read by its own major version. */
const majorVersion = '18'
const unfinishedName = 'postgres.unfinished-'

/** The same on every machine, so that the operator's language and time zone do not change sorting and comparison. */
const initdbOptions = [
  `--username=${clusterOwner}`,
  '--auth=trust',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--text-search-config=simple',
  '--data-checksums',
  '--no-instructions',
]

type Place = {
  cluster: string
  dataDir: string
  /** The path of the `initdb` program. */
  initdb: string
  runAs: RunAs
  postgresLog: PostgresLog
  log: Logger
}

/** Create the cluster if there is none. Throw a StartProblem for one of another major version. */
export async function ensureCluster({ cluster, dataDir, initdb, runAs, postgresLog, log }: Place): Promise<void> {
  const version = await versionOf(cluster)
  if (version === majorVersion) return
  if (version !== undefined) {
    throw new StartProblem(
      `The database in ${cluster} was made by PostgreSQL ${version}, and this Parley comes with PostgreSQL ${majorVersion}, ` +
        'which cannot read it. Back it up with the Parley that made it, and restore the backup into a new DATA_DIR.',
    )
  }

  log.info({ cluster }, 'Making the database')
  await removeUnfinished(dataDir)
  const unfinished = await mkdtemp(join(dataDir, unfinishedName))
  await giveToPostgres(unfinished, runAs)
  const program = [initdb, ...initdbOptions, `--pgdata=${unfinished}`]
  const outcome = await startPostgresProcess(runAs, program, postgresLog.descriptor).ended
  if (outcome !== 'exit code 0') {
    const lastWords = await postgresLog.lastWords()
    await removeUnfinished(dataDir)
    throw new StartProblem(`PostgreSQL could not make a database in ${dataDir} (${outcome}).${lastWords}`)
  }
  // Renamed only when complete: after an interrupted start it is created again.
  await rename(unfinished, cluster)
  await syncFolder(dataDir)
}

async function versionOf(cluster: string): Promise<string | undefined> {
  try {
    return (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim()
  } catch (cause) {
    const names = await readdir(cluster).catch(() => undefined)
    if (names === undefined) return undefined
    throw new StartProblem(
      `The folder ${cluster} is not a database that PostgreSQL can start: its file PG_VERSION cannot be read. ` +
        'Restore a backup into a new DATA_DIR, or move the folder away to begin with an empty database.',
      { cause },
    )
  }
}

async function removeUnfinished(dataDir: string) {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(unfinishedName)) continue
    // A program of a killed Parley may still be writing there until it notices.
    await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}
