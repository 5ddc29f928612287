import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from '../test/helpers/free-port.ts'
import { printTable } from './figures.ts'
import { type InstanceFixture, startInstance } from './fixture.ts'
import { putUnderFixedRate } from './load.ts'
import { familyOf, memoryMb, residentMb } from './processes.ts'
import { coresOf, errorsOf, printMachine, quantilesOf, startCoreClock } from './report.ts'
import { prepareReportData, workloads } from './workloads.ts'

const connectionsEach = 8
const maxSampleSeconds = 60
/** Enough samples for a slope, even in a short trial. */
const minSamples = 10
/** The share of the samples at the beginning that is ignored, while caches fill and code is compiled. */
const settlingPart = 1 / 6
/** Growth per hour of less than this share of the mean is negligible. */
const negligiblePart = 0.02

type Sample = { seconds: number; values: readonly number[] }

const measures = [
  'Resident memory of Parley (RSS), MB',
  'Proportional memory of Parley (PSS), MB',
  'Memory of PostgreSQL (PSS), MB',
  'File handles of Parley',
  'Event-loop delay p50, ms',
  'Event-loop delay p99, ms',
]

/** Run all workloads at once, each at its fixed rate, and sample the service's memory, handles and event-loop delay. */
export async function benchSoak(seconds: number, started: AsyncDisposableStack): Promise<void> {
  const [metricsPort = 0] = await freePorts(1)
  const fixture = await startInstance(started, { METRICS_PORT: String(metricsPort) })
  await printMachine(fixture)
  const data = await prepareReportData(fixture)
  const loads = await Promise.all(
    workloads.map(async ({ name, soakRatePerSecond, prepare }) => {
      const target = await prepare(fixture, data, Math.ceil(soakRatePerSecond * seconds))
      return { name, target, schedule: { durationMs: seconds * 1000, ratePerSecond: soakRatePerSecond } }
    }),
  )
  const readCores = await startCoreClock(fixture)
  const beganMs = performance.now()
  const sampling = sampleService(fixture, seconds, metricsPort)
  const results = await Promise.all(
    loads.map(async ({ name, target, schedule }) => {
      const load = await putUnderFixedRate(target, connectionsEach, schedule)
      const requests = load.latenciesMs.length.toLocaleString('en')
      return [name, `${schedule.ratePerSecond}/s`, requests, errorsOf(load), quantilesOf(load)]
    }),
  )
  const samples = await sampling
  const cores = coresOf(await readCores(performance.now() - beganMs))
  printTable(`Soak of ${seconds} s, cores of Parley, PostgreSQL, driver, others: ${cores}`, [
    ['Workload', 'Rate', 'Requests', 'Observed errors', 'p50, p95, p99'],
    ...results,
  ])
  printTable('Growth', [
    ['Measure', 'First sample', 'Last sample', 'Most', 'Slope an hour, ± standard error'],
    ...measures.map((name, at) => {
      const values = samples.map((sample) => sample.values[at] ?? Number.NaN)
      const figures = [values[0], values.at(-1), Math.max(...values)].map((value) => (value ?? Number.NaN).toFixed(1))
      return [name, ...figures, describeGrowth(samples, at)]
    }),
  ])
}

/**
 * Fit a line by least squares to the samples after the settling time. A measure grows if the slope is more than two
 * standard errors above 0 and more than 2 % of the mean an hour. Less than an hour says little.
 */
function describeGrowth(samples: readonly Sample[], at: number): string {
  const end = samples.at(-1)?.seconds ?? 0
  const points = samples
    .filter(({ seconds }) => seconds >= end * settlingPart)
    .map(({ seconds, values }) => ({ x: seconds / 3600, y: values[at] ?? Number.NaN }))
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanX, meanY] = [meanOf(points.map(({ x }) => x)), meanOf(points.map(({ y }) => y))]
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0)
  const slope = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread
  const residuals = points.reduce((sum, { x, y }) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0)
  const error = Math.sqrt(residuals / (points.length - 2) / spread)
  const grows = slope > 2 * error && slope > negligiblePart * meanY
  return `${slope.toFixed(1)} ± ${error.toFixed(1)}${grows ? ': grows' : ''}`
}

async function sampleService(fixture: InstanceFixture, seconds: number, metricsPort: number): Promise<Sample[]> {
  const everySeconds = Math.max(1, Math.min(maxSampleSeconds, Math.floor(seconds / minSamples)))
  const samples: Sample[] = []
  const beganMs = performance.now()
  // The delay is counted since the last scrape: this one excludes the preparation.
  await scrapeEventLoopDelay(metricsPort)
  for (let due = everySeconds; due <= seconds; due += everySeconds) {
    await sleep(Math.max(0, beganMs + due * 1000 - performance.now()))
    samples.push({ seconds: (performance.now() - beganMs) / 1000, values: await sampleOnce(fixture, metricsPort) })
  }
  return samples
}

async function sampleOnce({ parley: { pid }, postgresPid }: InstanceFixture, metricsPort: number): Promise<number[]> {
  const postgres = await Promise.all((await familyOf(postgresPid)).map(memoryMb))
  return [
    await residentMb(pid),
    (await memoryMb(pid)) ?? Number.NaN,
    postgres.reduce<number>((sum, megabytes) => sum + (megabytes ?? 0), 0),
    (await readdir(`/proc/${pid}/fd`)).length,
    ...(await scrapeEventLoopDelay(metricsPort)),
  ]
}

/** Read the metrics as Prometheus does; prom-client starts a new count with each scrape. */
async function scrapeEventLoopDelay(port: number): Promise<number[]> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return ['p50', 'p99'].map((name) => {
    const [, value] = new RegExp(`^nodejs_eventloop_lag_${name}_seconds ([\\d.e+-]+)$`, 'm').exec(text) ?? []
    if (value === undefined) throw new Error(`/metrics says no nodejs_eventloop_lag_${name}_seconds`)
    return Number(value) * 1000
  })
}
