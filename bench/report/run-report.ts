import { mkdir } from 'node:fs/promises'
import { relative } from 'node:path'
import { ms, perSecond, printTable } from '../figures.ts'
import { driveSaturation } from './drive-load.ts'
import { type ReportFixture, startReportFixture } from './fixture.ts'
import { measurePhase } from './measure-phase.ts'
import { prepareReportData, type ReportData, vacuumAll } from './report-data.ts'
import { addOtherPhase, type Phase, resultsFolder, type WorkloadResult, writeWorkloadResult } from './result.ts'
import { assessPhase } from './verdict.ts'
import { type Workload, workloads } from './workloads.ts'

export type ReportOptions = {
  /** Undefined: all workloads. */
  workload: string | undefined
  /** The length of each phase. */
  seconds: number
  /** Fixed rate; undefined: the workload's own. */
  ratePerSecond: number | undefined
  /** Undefined: both phases. */
  phase: Phase['kind'] | undefined
  connections: number
}

const warmUpSeconds = 10
/**
 * For workloads whose requests are used once: prepare more than the warm-up suggests, in case the service gets faster.
 */
const reserve = 1.5
/** More requests than any workload sends during its warm-up. */
const warmUpRequests = 80_000

/**
 * Measure workloads at a fixed rate and at saturation, each on a database of its own, and write a result file for each.
 * A run of one phase keeps the other one in the file when it was measured in the same environment.
 * @throws for an unknown workload
 */
export async function runReport(options: ReportOptions, started: AsyncDisposableStack): Promise<void> {
  const chosen = workloads.filter(({ name }) => options.workload === undefined || name === options.workload)
  if (chosen.length === 0) {
    throw new Error(`No workload "${options.workload}": ${workloads.map(({ name }) => name).join(', ')}`)
  }
  await mkdir(resultsFolder, { recursive: true })
  for (const workload of chosen) {
    const own = started.use(new AsyncDisposableStack())
    const result = await measureWorkload(workload, options, await startReportFixture(own))
    await own.disposeAsync()
    print(result)
    const path = await writeWorkloadResult(resultsFolder, await addOtherPhase(resultsFolder, result))
    console.log(`  written: ${relative(process.cwd(), path)}`)
  }
}

async function measureWorkload(
  workload: Workload,
  options: ReportOptions,
  fixture: ReportFixture,
): Promise<WorkloadResult> {
  const { seconds, connections, phase, ratePerSecond = workload.ratePerSecond } = options
  const data = await prepareReportData(fixture)
  const expectedPerSecond = await warmUp(fixture, data, workload, connections)
  const phases: Phase[] = []

  if (phase !== 'saturation') {
    const source = await workload.prepare(fixture, data, Math.ceil(ratePerSecond * seconds))
    await vacuumAll(fixture)
    phases.push(await measurePhase(fixture, { seconds, connections, source, ratePerSecond }))
  }
  if (phase !== 'fixed-rate') {
    const source = await workload.prepare(fixture, data, Math.ceil(expectedPerSecond * seconds * reserve))
    await vacuumAll(fixture)
    phases.push(await measurePhase(fixture, { seconds, connections, source }))
  }
  const { name, request } = workload
  return { workload: name, request, environment: fixture.environment, warmUpSeconds, phases }
}

/** @returns requests a second at saturation */
async function warmUp(fixture: ReportFixture, data: ReportData, workload: Workload, connections: number) {
  const source = await workload.prepare(fixture, data, warmUpRequests)
  const target = { port: fixture.parley.port, connections, durationMs: warmUpSeconds * 1000, source }
  const { latencies, elapsedMs } = await driveSaturation(target)
  return latencies.count / (elapsedMs / 1000)
}

function print({ workload, request, phases, environment }: WorkloadResult) {
  const row = (name: string, of: (phase: Phase) => string) => [name, ...phases.map(of)]
  const perCore = ({ succeeded, processorSeconds: { parley, postgres } }: Phase) => succeeded / (parley + postgres)
  const cores = ({ processorSeconds, seconds }: Phase) =>
    Object.values(processorSeconds)
      .map((used) => (used / seconds).toFixed(2))
      .join(', ')
  printTable(`${workload}: ${request}`, [
    row('', ({ kind }) => kind),
    row('seconds, connections', ({ seconds, connections }) => `${seconds.toFixed(0)}, ${connections}`),
    row('requests', ({ succeeded }) => succeeded.toLocaleString('en')),
    row('served', ({ succeeded, seconds }) => perSecond(succeeded / seconds)),
    row('served a core of Parley and PostgreSQL', (phase) => perSecond(perCore(phase))),
    row('errors', ({ errors }) => (Object.keys(errors).length === 0 ? 'none' : JSON.stringify(errors))),
    row('p50, p95, p99', ({ latencies: { p50Ms, p95Ms, p99Ms } }) => [p50Ms, p95Ms, p99Ms].map(ms).join(', ')),
    row('cores: Parley, PostgreSQL, driver, others', cores),
    row('verdict', (phase) => assessPhase(phase, environment.cores)),
  ])
}
