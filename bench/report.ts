import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { availableParallelism, cpus, release, totalmem, type } from 'node:os'
import { promisify } from 'node:util'
import { ms, printTable, quantile } from './figures.ts'
import { type InstanceFixture, startInstance } from './fixture.ts'
import { type Load, putUnderFixedRate, putUnderLoad } from './load.ts'
import { familyProcessorMs, processorMs } from './processes.ts'
import { prepareReportData, type ReportData, vacuumAll, type Workload, workloads } from './workloads.ts'

type ReportOptions = {
  /** Undefined: all workloads. */
  workload: string | undefined
  /** The length of each phase. */
  seconds: number
  /** Fixed rate; undefined: the workload's own. */
  ratePerSecond: number | undefined
  /** Undefined: both phases. */
  phase: string | undefined
  connections: number
}

const warmUpSeconds = 10
/**
 * For workloads whose requests are used once: prepare more than the warm-up suggests, in case the service gets faster.
 */
const reserve = 1.5
/** More requests than any workload sends during its warm-up. */
const warmUpRequests = 80_000
/** pg_stat_statements counts neither planning nor the commit of a single statement. */
const reportSettings = { shared_preload_libraries: 'pg_stat_statements' }

/** People wait for these replies. */
const maxP99Ms = 250
/** A process that uses this share of a core is limited by it. */
const fullCore = 0.93
const fullMachine = 0.95
/** A machine is quiet while other programs use at most this share of all cores. */
const quietShare = 0.05

/**
 * Measure workloads at a fixed rate and at saturation, each on a database of its own, and print a table for each.
 * @throws for an unknown workload or phase
 */
export async function benchReport(options: ReportOptions, started: AsyncDisposableStack): Promise<void> {
  const { workload: wanted, phase } = options
  const chosen = workloads.filter(({ name }) => wanted === undefined || name === wanted)
  if (chosen.length === 0) throw new Error(`No workload "${wanted}": ${workloads.map(({ name }) => name).join(', ')}`)
  if (!['fixed-rate', 'saturation', undefined].includes(phase)) throw new Error(`No phase "${phase}"`)
  for (const workload of chosen) {
    const own = started.use(new AsyncDisposableStack())
    const fixture = await startInstance(own, { METRICS_PORT: '0' }, reportSettings)
    if (workload === chosen[0]) await printMachine(fixture)
    await measureWorkload(workload, options, fixture)
    await own.disposeAsync()
  }
}

export async function printMachine({ owner }: InstanceFixture): Promise<void> {
  const { rows } = await owner.query<{ server_version: string }>('show server_version')
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
  const changed = (await git('status', '--porcelain', '--untracked-files=no', '--', 'apps', 'packages')) !== ''
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  printTable('Machine', [
    ['Metric', 'Value'],
    ['Test start', `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`],
    ['Machine', `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, ${memory}`],
    ['Operating system', `${type()} ${release()}`],
    ['Client', 'on the same machine, one process, raw sockets over 127.0.0.1, without TLS'],
    ['Parley', `${version}, commit ${await git('rev-parse', '--short=10', 'HEAD')}${changed ? ' with changes' : ''}`],
    ['Node.js', process.versions.node],
    ['Settings', 'RATE_LIMITS=off, METRICS_PORT set'],
    ['Database', `PostgreSQL ${rows[0]?.server_version}, private, fsync on, 128 MB shared buffers`],
  ])
}

/** Empty outside a git checkout. */
async function git(...words: string[]): Promise<string> {
  const run = promisify(execFile)('git', words, { cwd: new URL('../', import.meta.url) })
  return run.then(({ stdout }) => stdout.trim()).catch(() => '')
}

type Phase = Load & { ratePerSecond?: number; cores: Cores; statements: readonly string[] }

async function measureWorkload(workload: Workload, options: ReportOptions, fixture: InstanceFixture) {
  const { seconds, connections, phase, ratePerSecond = workload.ratePerSecond } = options
  const data = await prepareReportData(fixture)
  const expectedPerSecond = await warmUp(fixture, data, workload, connections)
  const phases: Phase[] = []
  if (phase !== 'saturation') {
    const target = await workload.prepare(fixture, data, Math.ceil(ratePerSecond * seconds))
    const drive = () => putUnderFixedRate(target, connections, { durationMs: seconds * 1000, ratePerSecond })
    phases.push({ ...(await measurePhase(fixture, drive)), ratePerSecond })
  }
  if (phase !== 'fixed-rate') {
    const target = await workload.prepare(fixture, data, Math.ceil(expectedPerSecond * seconds * reserve))
    phases.push(await measurePhase(fixture, () => putUnderLoad(target, connections, seconds * 1000)))
  }
  printPhases(workload, connections, phases)
}

/** @returns requests a second at saturation */
async function warmUp(fixture: InstanceFixture, data: ReportData, workload: Workload, connections: number) {
  const target = await workload.prepare(fixture, data, warmUpRequests)
  return (await putUnderLoad(target, connections, warmUpSeconds * 1000)).requestsPerSecond
}

/** Put the service under one load, and measure its cost. Statements and processor time are counted from here on. */
async function measurePhase(fixture: InstanceFixture, drive: () => Promise<Load>): Promise<Phase> {
  await vacuumAll(fixture)
  await fixture.owner.query('create extension if not exists pg_stat_statements')
  await fixture.owner.query('select pg_stat_statements_reset()')
  const readCores = await startCoreClock(fixture)
  const load = await drive()
  return { ...load, cores: await readCores(load.elapsedMs), statements: await readDearestStatements(fixture) }
}

function printPhases({ name, request }: Workload, connections: number, phases: readonly Phase[]) {
  const row = (title: string, of: (phase: Phase) => string) => [title, ...phases.map(of)]
  const perRequest = ({ latenciesMs, elapsedMs }: Phase, cores: number) => ms((cores * elapsedMs) / latenciesMs.length)
  const perCore = ({ requestsPerSecond, cores }: Phase) => requestsPerSecond / (cores.parley + cores.postgres)
  printTable(`Workload ${name}: ${request}`, [
    row('Metric', ({ ratePerSecond }) => (ratePerSecond === undefined ? 'Saturation' : 'Fixed rate')),
    row('Test duration', ({ elapsedMs }) => `${(elapsedMs / 1000).toFixed(0)} s`),
    row('Virtual users (connections)', () => String(connections)),
    row('Scheduled', ({ ratePerSecond }) => (ratePerSecond === undefined ? 'as answered' : rate(ratePerSecond))),
    row('Requests', ({ latenciesMs }) => latenciesMs.length.toLocaleString('en')),
    row('Observed errors', errorsOf),
    row('Requests a second', ({ requestsPerSecond }) => rate(requestsPerSecond)),
    row('Requests a second and core', (phase) => rate(perCore(phase))),
    row('p50, p95, p99', quantilesOf),
    row('Slowest', ({ latenciesMs }) => ms(quantile(latenciesMs, 1))),
    row("Driver's own delay, p99", ({ ownDelaysMs }) =>
      ownDelaysMs.length > 0 ? ms(quantile(ownDelaysMs, 0.99)) : '',
    ),
    row('Processor time a request: Parley, PostgreSQL', (phase) =>
      [phase.cores.parley, phase.cores.postgres].map((cores) => perRequest(phase, cores)).join(', '),
    ),
    row('Cores: Parley, PostgreSQL, driver, others', ({ cores }) => coresOf(cores)),
    ...[0, 1, 2].map((place) => row(`Statement ${place + 1}`, ({ statements }) => statements[place] ?? '')),
    row('Verdict', assess),
  ])
}

/** One sentence: whether a fixed rate was kept, or what limited the saturation; and whether the machine was quiet. */
function assess(phase: Phase): string {
  const { cores, ranOut, errors } = phase
  const failed = [...errors.values()].reduce((sum, count) => sum + count, 0)
  const suffix = (failed > 0 ? `; ${failed} errors` : '') + (ranOut ? '; the prepared data ran out' : '')
  const all = Object.values(cores).reduce((sum, used) => sum + used, 0)
  const outcome = () => {
    if (phase.ratePerSecond !== undefined) {
      if (failed > 0 || ranOut) return 'not kept'
      return quantile(phase.latenciesMs, 0.99) > maxP99Ms ? `kept, with p99 above ${maxP99Ms} ms` : 'kept'
    }
    if (cores.driver >= fullCore) return 'limited by the driver: Parley can do more'
    if (all >= fullMachine * availableParallelism()) return "limited by the machine's processor"
    if (cores.parley >= fullCore) return "limited by Parley's process, which has one thread for JavaScript"
    return 'not limited by the processor: waits for the disk or for locks'
  }
  const isQuiet = cores.others <= quietShare * availableParallelism()
  return outcome() + suffix + (isQuiet ? '' : `. Other programs used ${cores.others.toFixed(2)} cores`)
}

const rate = (value: number) => `${value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en')}/s`
export const quantilesOf = ({ latenciesMs }: Load) =>
  [0.5, 0.95, 0.99].map((part) => ms(quantile(latenciesMs, part))).join(', ')
export const errorsOf = ({ errors }: Load) =>
  errors.size === 0 ? 'none' : [...errors].map(([cause, count]) => `${count} × ${cause}`).join(', ')
export const coresOf = (cores: Cores) =>
  [cores.parley, cores.postgres, cores.driver, cores.others].map((used) => used.toFixed(2)).join(', ')

/** Cores that were busy, in the mean: with Parley, PostgreSQL and its backends, this process, and everything else. */
type Cores = { parley: number; postgres: number; driver: number; others: number }

/** Linux only. @returns a function that returns the cores used since then */
export async function startCoreClock(
  fixture: Pick<InstanceFixture, 'parley' | 'postgresPid'>,
): Promise<(elapsedMs: number) => Promise<Cores>> {
  const before = await readProcessorMs(fixture)
  return async (elapsedMs) => {
    const after = await readProcessorMs(fixture)
    const [parley = 0, postgres = 0, driver = 0, machine = 0] = after.map((value, at) => value - (before[at] ?? 0))
    const others = Math.max(0, machine - parley - postgres - driver)
    const share = (used: number) => used / elapsedMs
    return { parley: share(parley), postgres: share(postgres), driver: share(driver), others: share(others) }
  }
}

async function readProcessorMs({ parley, postgresPid }: Pick<InstanceFixture, 'parley' | 'postgresPid'>) {
  const { user, system } = process.cpuUsage()
  // Of all cores, what was neither idle nor spent waiting for a disk (proc_stat(5)), in ticks of 10 ms.
  const [, fields = ''] = /^cpu +(.+)$/m.exec(await readFile('/proc/stat', 'utf8')) ?? []
  const [onUser = 0, nice = 0, onSystem = 0, , , irq = 0, softIrq = 0, steal = 0] = fields.split(' ').map(Number)
  const machine = (onUser + nice + onSystem + irq + softIrq + steal) * 10
  const [own, postgres] = [await processorMs([parley.pid]), await familyProcessorMs(postgresPid)]
  return [own, postgres, (user + system) / 1000, machine]
}

/** The statements of the service with the most execution time, without those of `owner`, which prepares data. */
async function readDearestStatements({ owner }: InstanceFixture): Promise<string[]> {
  const { rows } = await owner.query<{ query: string; calls: string; mean: number; share: number }>(
    `select query, calls, mean_exec_time as mean, total_exec_time / sum(total_exec_time) over () as share
     from pg_stat_statements
     where dbid = (select oid from pg_database where datname = current_database())
       and userid <> (select oid from pg_roles where rolname = current_user)
     order by total_exec_time desc limit 3`,
  )
  return rows.map(({ query, calls, mean, share }) => {
    const text = query.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim().slice(0, 80)
    return `${(share * 100).toFixed(0)} %: ${text}; ${ms(mean)}, ${Number(calls).toLocaleString('en')} times`
  })
}
