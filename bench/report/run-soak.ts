import { mkdir, readdir, readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { printTable } from '../figures.ts'
import { familyOf, memoryMb } from '../processes.ts'
import { driveFixedRate } from './drive-load.ts'
import { type ReportFixture, startReportFixture } from './fixture.ts'
import { startProcessorClock } from './processor-time.ts'
import { prepareReportData } from './report-data.ts'
import { resultsFolder, type SoakResult, type SoakSample, writeSoakResult } from './result.ts'
import { assessGrowth, assessSoak, soakMeasures } from './verdict.ts'
import { workloads } from './workloads.ts'

const connectionsEach = 8
const maxSampleSeconds = 60
/** Enough samples for a slope, even in a short trial. */
const minSamples = 10

/** Run all workloads at once, each at its fixed rate, and sample the service's memory, handles and event-loop delay. */
export async function runSoak(seconds: number, started: AsyncDisposableStack): Promise<void> {
  const fixture = await startReportFixture(started)
  const data = await prepareReportData(fixture)
  const { port } = fixture.parley
  const loads = await Promise.all(
    workloads.map(async (workload) => {
      const ratePerSecond = workload.soakRatePerSecond
      const source = await workload.prepare(fixture, data, Math.ceil(ratePerSecond * seconds))
      return {
        workload,
        target: { port, connections: connectionsEach, durationMs: seconds * 1000, ratePerSecond, source },
      }
    }),
  )
  const sampleSeconds = Math.min(maxSampleSeconds, Math.floor(seconds / minSamples))
  const readClock = await startProcessorClock({ parley: fixture.parley.pid, postgres: fixture.postgresPid })
  const startedAt = new Date().toISOString()
  const sampling = sampleService(fixture, seconds, sampleSeconds)
  const results = await Promise.all(
    loads.map(async ({ workload, target }) => {
      const { latencies, errors } = await driveFixedRate(target)
      return {
        workload: workload.name,
        ratePerSecond: target.ratePerSecond,
        succeeded: latencies.count,
        errors: Object.fromEntries(errors),
        latencies: latencies.summarize(),
      }
    }),
  )
  const samples = await sampling
  const { environment } = fixture
  const processorSeconds = await readClock()
  const result = { environment, startedAt, seconds, sampleSeconds, workloads: results, processorSeconds, samples }
  print(result)
  await mkdir(resultsFolder, { recursive: true })
  console.log(`  written: ${relative(process.cwd(), await writeSoakResult(resultsFolder, result))}`)
}

async function sampleService(fixture: ReportFixture, seconds: number, sampleSeconds: number): Promise<SoakSample[]> {
  const samples: SoakSample[] = []
  const startMs = performance.now()
  // The delay is counted since the last scrape: this one excludes the preparation.
  await scrapeEventLoopDelay(fixture.metricsPort)
  for (let due = sampleSeconds; due <= seconds; due += sampleSeconds) {
    await sleep(Math.max(0, startMs + due * 1000 - performance.now()))
    samples.push(await sampleOnce(fixture, Math.round((performance.now() - startMs) / 1000)))
  }
  return samples
}

async function sampleOnce({ parley, postgresPid, metricsPort }: ReportFixture, seconds: number): Promise<SoakSample> {
  const postgres = await Promise.all((await familyOf(postgresPid)).map(memoryMb))
  const status = await readFile(`/proc/${parley.pid}/status`, 'utf8')
  return {
    seconds,
    rssMb: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024,
    pssMb: (await memoryMb(parley.pid)) ?? Number.NaN,
    postgresPssMb: postgres.reduce<number>((sum, megabytes) => sum + (megabytes ?? 0), 0),
    fileHandles: (await readdir(`/proc/${parley.pid}/fd`)).length,
    ...(await scrapeEventLoopDelay(metricsPort)),
  }
}

/** Read the metrics as Prometheus does; prom-client starts a new count with each scrape. */
async function scrapeEventLoopDelay(port: number) {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const readMs = (name: string) => {
    const [, value] = new RegExp(`^nodejs_eventloop_lag_${name}_seconds ([\\d.e+-]+)$`, 'm').exec(text) ?? []
    if (value === undefined) throw new Error(`/metrics says no nodejs_eventloop_lag_${name}_seconds`)
    return Number(value) * 1000
  }
  return {
    eventLoopDelayP50Ms: readMs('p50'),
    eventLoopDelayP99Ms: readMs('p99'),
    eventLoopDelayMaxMs: readMs('max'),
  }
}

function print(soak: SoakResult) {
  printTable(`Soak of ${soak.seconds} s: ${assessSoak(soak)}`, [
    ['', 'first', 'last', 'slope an hour', 'standard error'],
    ...soakMeasures.map(({ name, measure }) => {
      const { perHour, error } = assessGrowth(soak.samples, measure)
      const [first, last] = [soak.samples[0], soak.samples.at(-1)].map((sample) => sample && measure(sample))
      return [name, ...[first, last, perHour, error].map((value) => value?.toFixed(2) ?? '')]
    }),
  ])
  for (const { workload, ratePerSecond, succeeded, errors } of soak.workloads) {
    console.log(`  ${workload} at ${ratePerSecond}/s: ${succeeded} succeeded, errors ${JSON.stringify(errors)}`)
  }
}
