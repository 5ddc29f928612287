import { evaluateTarget, loadCells, median, ms, printTable, ratioOf } from '../figures.ts'
import type { BenchFixture } from '../fixture.ts'
import { bodyBytesOf, inTurn, type Load, measureLoad, requestBytes, type Target } from '../load.ts'
import { idsOf, type Person } from '../prepared-data.ts'
import { familyProcessorMs, processorMs } from '../processes.ts'

export type Comparison = 'create' | 'get' | 'list'

const workerCount = 16
const roundCount = 7
const roundMs = 900
const warmUpMs = 1_500
/** Read in rotation, so that consecutive replies differ. */
const meetingsRead = 1_000
const pageSize = 20

const minRatio = {
  create: { kind: 'at least', value: 0.5 },
  get: { kind: 'at least', value: 0.6 },
  list: { kind: 'at least', value: 0.6 },
} as const

/**
 * Measure the service, the baseline, and the baseline padded to the service's reply size, alternately. Ratios are
 * computed within a round and their median counts, so that other load on the machine matters little.
 */
export async function benchAgainstBaseline(
  fixture: BenchFixture,
  host: Person,
  guests: readonly string[],
  wanted: Comparison[],
) {
  const ids = await idsOf(fixture, host, meetingsRead)
  for (const comparison of wanted) {
    const targets = await targetsOf(fixture, comparison, host, guests, ids)
    const parley: Round[] = []
    const baseline: Round[] = []
    const sized: Round[] = []
    for (const target of [targets.parley, targets.baseline, targets.sized]) {
      await measureLoad(target, workerCount, warmUpMs)
    }
    for (let round = 0; round < roundCount; round++) {
      parley.push(await measureRound(targets.parley, fixture.parley.pid, fixture.postgresPid))
      baseline.push(await measureRound(targets.baseline, fixture.baseline.pid, fixture.postgresPid))
      sized.push(await measureRound(targets.sized, fixture.baseline.pid, fixture.postgresPid))
    }
    printTable(
      `${comparison}, ${workerCount} workers, medians of ${roundCount} rounds in turns; server, PostgreSQL: processor time a request`,
      [
        ['', 'served', 'p50', 'p99', 'server', 'PostgreSQL', 'bytes', 'Parley by this'],
        ['Parley', ...rowOf(parley), `${targets.parleyBytes}`, ''],
        [
          'the baseline',
          ...rowOf(baseline),
          `${targets.baselineBytes}`,
          evaluateTarget(ratioOf(parley, baseline), minRatio[comparison]),
        ],
        ['the baseline, as many bytes', ...rowOf(sized), `${targets.sizedBytes}`, ratioOf(parley, sized).toFixed(2)],
      ],
    )
  }
}

/** A round, with the processor time of the server and of PostgreSQL per request, in milliseconds. */
type Round = Load & { serverMs: number; postgresMs: number }

/** PostgreSQL's processes begin and end between the rounds: connections of the pool, and workers of its own. */
async function measureRound(target: Target, serverPid: number, postgresPid: number): Promise<Round> {
  const before = [await processorMs([serverPid]), await familyProcessorMs(postgresPid)] as const
  const load = await measureLoad(target, workerCount, roundMs)
  const requests = load.latenciesMs.length
  return {
    ...load,
    serverMs: ((await processorMs([serverPid])) - before[0]) / requests,
    postgresMs: ((await familyProcessorMs(postgresPid)) - before[1]) / requests,
  }
}

function rowOf(rounds: readonly Round[]): string[] {
  const processor = [median(rounds.map(({ serverMs }) => serverMs)), median(rounds.map(({ postgresMs }) => postgresMs))]
  return [...loadCells(rounds), ...processor.map(ms)]
}

type ComparedTargets = Record<'parley' | 'baseline' | 'sized', Target> &
  Record<'parleyBytes' | 'baselineBytes' | 'sizedBytes', number>

async function targetsOf(
  fixture: BenchFixture,
  comparison: Comparison,
  host: Person,
  guests: readonly string[],
  ids: readonly string[],
): Promise<ComparedTargets> {
  const body = comparison === 'create' ? JSON.stringify(weeklyReview(guests)) : ''
  const method = comparison === 'create' ? 'POST' : 'GET'
  const target = ({ port }: { port: number }, paths: readonly string[]) =>
    inTurn(
      port,
      paths.map((path) => requestBytes(method, path, port === fixture.parley.port ? host.token : '', body)),
    )
  const parleyPaths = {
    // The baseline sends no mail either.
    create: ['/api/meeting?sendUpdates=none'],
    get: ids.map((id) => `/api/meeting/meetingDetails/${id}`),
    list: [`/api/meeting/me?limit=${pageSize}`],
  }[comparison]
  const baselinePaths = (query: string) =>
    ({
      create: [`/meetings/${host.id}?${query}`],
      get: ids.map((id) => `/meeting/${id}?${query}`),
      list: [`/meetings/${host.id}?limit=${pageSize}&${query}`],
    })[comparison]

  const parley = target(fixture.parley, parleyPaths)
  const baseline = target(fixture.baseline, baselinePaths(''))
  const parleyBytes = await bodyBytesOf(parley)
  const missing = parleyBytes - (await bodyBytesOf(target(fixture.baseline, baselinePaths('padding=0'))))
  const padding = Math.max(0, Math.round(missing / (comparison === 'list' ? pageSize : 1)))
  const sized = target(fixture.baseline, baselinePaths(`padding=${padding}`))
  const [baselineBytes, sizedBytes] = [await bodyBytesOf(baseline), await bodyBytesOf(sized)]
  return { parley, baseline, sized, parleyBytes, baselineBytes, sizedBytes }
}

export const weeklyReview = (participants: readonly string[]) => ({
  topic: 'Weekly review',
  description: 'Bring numbers, and the notes of last time.',
  participants,
  startTime: '2030-01-07T09:00:00+05:30',
  endTime: '2030-01-07T09:30:00+05:30',
  isPinEnabled: true,
  advancedOptions: { participantVideo: true, hostVideo: true, waitingRoom: true },
  repeatOptions: {
    repeat: 'weekly',
    daysOfWeek: [0, 1, 0, 0, 1, 0, 0],
    endDate: '2030-06-28T23:59:59Z',
    timeZone: 'IST',
  },
})
