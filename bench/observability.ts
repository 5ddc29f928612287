import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { evaluateTarget, median, ms, perSecond, printTable } from './figures.ts'
import { type BenchFixture, makeFolder } from './fixture.ts'
import { type Load, putUnderLoad, requestBytes, type Target } from './load.ts'
import { inTurn, weeklyReview } from './meetings/against-baseline.ts'
import { idsOf, insertMeetings, signUp, vacuumMeetings } from './prepared-data.ts'
import { memoryMb, type RunningProcess, startProcess } from './processes.ts'
import { type CpuProfile, shareOfProfile } from './profile-share.ts'

const workerCount = 16
/** Many short rounds, so that other load on the machine affects all instances alike. */
const roundCount = 25
const roundMs = 250
const warmUpMs = 1_500
const meetingsRead = 1_000
const profileMs = 15_000

/** The ratio of a server's busy time with metrics to that without. */
const maxCost = { kind: 'at most', value: 1.03 } as const

type Instance = { name: string; process: RunningProcess }
type Round = Load & { serverMs: number }

/**
 * Measure the cost of metrics and traces: instances of the service that differ in one setting, on one database, under
 * alternating load. Ratios are computed within a round, and their median counts. A second plain instance shows how much
 * two equal instances differ.
 */
export async function benchObservability(fixture: BenchFixture, started: AsyncDisposableStack) {
  const host = await signUp(fixture, 'host-who-is-watched')
  const guests = ['somebody@example.com']
  await insertMeetings(fixture, { host, count: meetingsRead, firstCode: 5_000_000_000, guests })
  await vacuumMeetings(fixture)
  const collector = await startCollector(started)
  const instances: Instance[] = [{ name: 'neither', process: fixture.parley }]
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio' }
  for (const [name, environment] of [
    ['neither, again', {}],
    ['metrics', { METRICS_PORT: '0' }],
    ['traces, 0.1 of them', { ...traced, OTEL_TRACES_SAMPLER_ARG: '0.1' }],
    ['traces, all', { ...traced, OTEL_TRACES_SAMPLER_ARG: '1' }],
  ] as const) {
    const process = await startProcess('apps/server/src/main.ts', { ...fixture.parleyEnvironment, ...environment })
    started.defer(() => process.stop())
    instances.push({ name, process })
  }
  const ids = await idsOf(fixture, host, meetingsRead)
  const body = JSON.stringify(weeklyReview(guests))
  const comparisons: readonly Comparison[] = [
    ['get', ids.map((id) => requestBytes('GET', `/api/meeting/meetingDetails/${id}`, host.token))],
    ['create', [requestBytes('POST', '/api/meeting?sendUpdates=none', host.token, body)]],
  ]
  for (const [comparison, requests] of comparisons) {
    const targets = instances.map(({ process }) => inTurn(process.port, requests))
    for (const target of targets) await putUnderLoad(target, workerCount, warmUpMs)
    const rounds = instances.map((): Round[] => [])
    for (let round = 0; round < roundCount; round++) {
      // Each instance is first as often as it is last.
      for (const turn of instances.keys()) {
        const at = (turn + round) % instances.length
        rounds[at]?.push(await measureRound(targets[at] as Target, instances[at]?.process.pid ?? 0))
      }
    }
    const [plain = [], plainAgain = []] = rounds
    const beside = { plain, plainAgain }
    const memory = await Promise.all(instances.map(({ process }) => memoryMb(process.pid)))
    printTable(
      `${comparison}, ${workerCount} workers, medians of ${roundCount} rounds in turns; server: processor time a request`,
      [
        ['', 'served', 'server', 'server, by neither', 'served, by neither', 'memory'],
        ...instances.map(({ name }, at) => {
          const own = rounds[at] ?? []
          return [
            name,
            perSecond(median(own.map(({ requestsPerSecond }) => requestsPerSecond))),
            ms(median(own.map(({ serverMs }) => serverMs))),
            ratioOf(own, beside, ({ serverMs }) => serverMs).toFixed(2),
            ratioOf(own, beside, ({ requestsPerSecond }) => requestsPerSecond).toFixed(2),
            `${memory[at]?.toFixed(0) ?? '?'} MB`,
          ]
        }),
      ],
    )
  }
  console.log(`  The collector took ${collector.takenBytes()} bytes of spans.`)
  await benchProfiles(fixture, comparisons, traced)
}

type Comparison = readonly [name: string, requests: Buffer[]]

/** Whether the code runs only with the setting. */
const isOfMetrics = (url: string) => /\/src\/metrics\/|\/prom-client\//.test(url)
const isOfTracing = (url: string) => /\/platform\/tracing\/|\/@opentelemetry\//.test(url)

/**
 * Measure the share of the server's busy time that metrics and traces take, from V8's profile of the process under
 * load.
 */
async function benchProfiles(
  fixture: BenchFixture,
  comparisons: readonly Comparison[],
  traced: Record<string, string>,
) {
  const rows = [['', ...comparisons.map(([comparison]) => comparison)]]
  for (const [name, environment, isOwn] of [
    ['metrics', { METRICS_PORT: '0' }, isOfMetrics],
    ['traces, 0.1 of them', { ...traced, OTEL_TRACES_SAMPLER_ARG: '0.1' }, isOfTracing],
    ['traces, all', { ...traced, OTEL_TRACES_SAMPLER_ARG: '1' }, isOfTracing],
  ] as const) {
    const shares: string[] = []
    for (const [, requests] of comparisons) {
      const share = shareOfProfile(await profileUnderLoad(fixture, environment, requests), isOwn)
      // The share refers to the time with the setting; convert it to a ratio to the time without.
      const cost = 1 / (1 - share)
      shares.push(name === 'metrics' ? evaluateTarget(cost, maxCost) : cost.toFixed(3))
    }
    rows.push([name, ...shares])
  }
  printTable(
    `Busy time of the server with the setting, by that without it, from a profile of ${profileMs / 1000} s`,
    rows,
  )
}

/**
 * Load a separate server, and return V8's profile of it. The profile includes the start, which takes about two seconds.
 */
async function profileUnderLoad(
  fixture: BenchFixture,
  environment: Record<string, string>,
  requests: Buffer[],
): Promise<CpuProfile> {
  await using used = new AsyncDisposableStack()
  const folder = await makeFolder(used)
  const profiled = { ...fixture.parleyEnvironment, ...environment, NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` }
  const process = await startProcess('apps/server/src/main.ts', profiled)
  try {
    await putUnderLoad(inTurn(process.port, requests), workerCount, profileMs)
  } finally {
    await process.stop()
  }
  const [file] = await readdir(folder)
  if (file === undefined) throw new Error('The server has written no profile')
  return JSON.parse(await readFile(join(folder, file), 'utf8')) as CpuProfile
}

async function measureRound(target: Target, serverPid: number): Promise<Round> {
  const beforeMs = await threadsMs(serverPid)
  const load = await putUnderLoad(target, workerCount, roundMs)
  return { ...load, serverMs: ((await threadsMs(serverPid)) - beforeMs) / load.latenciesMs.length }
}

/**
 * The processor time of all threads of a process in milliseconds, with the nanosecond resolution that such short rounds
 * need; 0 except on Linux.
 */
async function threadsMs(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const times = threads.map(async (thread) => {
    const text = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0')
    return Number(text.split(' ', 1)[0]) / 1e6
  })
  return (await Promise.all(times)).reduce((sum, time) => sum + time, 0)
}

/** The ratio to the mean of the two plain instances in the same round. */
const ratioOf = (
  own: readonly Round[],
  { plain, plainAgain }: { plain: readonly Round[]; plainAgain: readonly Round[] },
  figure: (round: Round) => number,
) =>
  median(
    own.flatMap((round, at) => {
      const [one, other] = [plain[at], plainAgain[at]]
      return one === undefined || other === undefined ? [] : [figure(round) / ((figure(one) + figure(other)) / 2)]
    }),
  )

/** Start a collector that accepts and discards spans. */
async function startCollector(started: AsyncDisposableStack) {
  let takenBytes = 0
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      takenBytes += chunk.length
    })
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  started.defer(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, takenBytes: () => takenBytes }
}
