import { mkdtemp, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { StartProblem } from '../start-problem.ts'
import type { PostgresLog } from './log.ts'
import { startPostgresProcess } from './process.ts'
import { giveToPostgres, type RunAs } from './user.ts'

/** The superuser, who makes the service's user and database. */
export const clusterOwner = 'postgres'
/** The major version of the programs in the npm packages: a cluster is readable by its own major version alone. */
const majorVersion = '18'
const unfinishedName = 'postgres.unfinished-'

/** The same on every machine: neither the language nor the time zone of the operator may change how we sort or compare. */
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
  /** Path of the program that makes clusters. */
  initdb: string
  runAs: RunAs
  postgresLog: PostgresLog
  log: Logger
}

/** Makes the cluster if there is none. Throws a StartProblem if there is one of another major version. */
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
  // It bears its name only when it is whole: a Parley killed in between starts anew.
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
    // A program of a killed Parley may still be writing there, for as long as it takes to notice.
    await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}

async function syncFolder(path: string) {
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}
