import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { availableParallelism, cpus, release, totalmem, type } from 'node:os'
import { promisify } from 'node:util'
import { freePorts } from '../../test/free-port.ts'
import { type BenchFixture, makeFolder, startDatabase } from '../fixture.ts'
import { startProcess } from '../processes.ts'
import { dataDescription } from './data-description.ts'
import type { Environment } from './result.ts'

export type ReportFixture = Omit<BenchFixture, 'baseline' | 'parleyEnvironment'> & {
  metricsPort: number
  environment: Environment
}

/** The settings that differ from the service's defaults. */
const settings = 'RATE_LIMITS=off, METRICS_PORT set'
const postgresSettings = { shared_preload_libraries: 'pg_stat_statements' }

/** A private PostgreSQL with pg_stat_statements, and the service in one process; both end with `started`. */
export async function startReportFixture(started: AsyncDisposableStack): Promise<ReportFixture> {
  const dataDir = await makeFolder(started)
  const { environment: address, pid: postgresPid, owner } = await startDatabase(dataDir, started, postgresSettings)
  const secretKey = randomBytes(32)
  const [metricsPort = 0] = await freePorts(1)
  const parley = await startProcess('apps/server/src/main.ts', {
    ...address,
    PORT: '0',
    MEDIA_UDP_PORT: '0',
    DATA_DIR: dataDir,
    SECRET_KEY: secretKey.toString('hex'),
    RATE_LIMITS: 'off',
    METRICS_PORT: String(metricsPort),
  })
  started.defer(() => parley.stop())
  const { rows } = await owner.query<{ server_version: string }>('show server_version')
  return { parley, postgresPid, secretKey, owner, metricsPort, environment: await describe(rows[0]?.server_version) }
}

async function describe(postgres = 'unknown'): Promise<Environment> {
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
  const changed = (await git('status', '--porcelain', '--untracked-files=no', '--', 'apps', 'packages')) !== ''
  const [cpu] = cpus()
  return {
    machine: `${cpu?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    cores: availableParallelism(),
    system: `${type()} ${release()}`,
    node: process.versions.node,
    postgres: `${postgres}, private, fsync on, 128 MB shared buffers`,
    parley: `${version}, commit ${await git('rev-parse', '--short=10', 'HEAD')}${changed ? ' with changes' : ''}`,
    settings,
    data: dataDescription,
  }
}

/** Empty outside a git checkout. */
async function git(...words: string[]): Promise<string> {
  const run = promisify(execFile)('git', words, { cwd: new URL('../../', import.meta.url) })
  return run.then(({ stdout }) => stdout.trim()).catch(() => '')
}
