import { judged, median, ms, perSecond, printTable, quantile } from '../figures.ts'
import { bodyBytesOf, type Load, putUnderLoad, requestBytes, type Target } from '../load.ts'
import { idsOf, type Person } from '../prepared-data.ts'
import { familyOf, processorMs } from '../processes.ts'
import type { Stage } from '../stage.ts'

export type Contest = 'create' | 'get' | 'list'

const workerCount = 16
const roundCount = 7
const roundMs = 900
const warmUpMs = 1_500
/** Read one after the other, so that no answer is a repetition of the last. */
const meetingsRead = 1_000
const pageSize = 20

const minRatio = {
  create: { kind: 'at least', value: 0.5 },
  get: { kind: 'at least', value: 0.6 },
  list: { kind: 'at least', value: 0.6 },
} as const

/**
 * Requests of each kind to the service, to the floor, and to the floor made to answer as many bytes as the service, in
 * turns. Ratios are made within a round and the middle one counts, so that what else the machine does weighs little.
 */
export async function benchAgainstFloor(stage: Stage, host: Person, guests: readonly string[], wanted: Contest[]) {
  const ids = await idsOf(stage, host, meetingsRead)
  for (const contest of wanted) {
    const contenders = await contendersOf(stage, contest, host, guests, ids)
    const parley: Round[] = []
    const floor: Round[] = []
    const sized: Round[] = []
    for (const target of [contenders.parley, contenders.floor, contenders.sized]) {
      await putUnderLoad(target, workerCount, warmUpMs)
    }
    const postgres = await familyOf(stage.postgresPid)
    for (let round = 0; round < roundCount; round++) {
      parley.push(await playRound(contenders.parley, stage.parley.pid, postgres))
      floor.push(await playRound(contenders.floor, stage.floor.pid, postgres))
      sized.push(await playRound(contenders.sized, stage.floor.pid, postgres))
    }
    printTable(
      `${contest}, ${workerCount} workers, medians of ${roundCount} rounds in turns; server, PostgreSQL: processor time a request`,
      [
        ['', 'served', 'p50', 'p99', 'server', 'PostgreSQL', 'bytes', 'Parley by this'],
        ['Parley', ...rowOf(parley), `${contenders.parleyBytes}`, ''],
        ['the floor', ...rowOf(floor), `${contenders.floorBytes}`, judged(ratioOf(parley, floor), minRatio[contest])],
        ['the floor, as many bytes', ...rowOf(sized), `${contenders.sizedBytes}`, ratioOf(parley, sized).toFixed(2)],
      ],
    )
  }
}

/** A round, with the processor time of the server and of PostgreSQL for each request. */
type Round = Load & { serverMs: number; postgresMs: number }

async function playRound(target: Target, serverPid: number, postgres: readonly number[]): Promise<Round> {
  const before = [await processorMs([serverPid]), await processorMs(postgres)] as const
  const load = await putUnderLoad(target, workerCount, roundMs)
  const requests = load.latenciesMs.length
  return {
    ...load,
    serverMs: ((await processorMs([serverPid])) - before[0]) / requests,
    postgresMs: ((await processorMs(postgres)) - before[1]) / requests,
  }
}

function ratioOf(ours: readonly Load[], theirs: readonly Load[]): number {
  return median(ours.map((load, round) => load.requestsPerSecond / (theirs[round]?.requestsPerSecond ?? Number.NaN)))
}

function rowOf(loads: readonly Round[]): string[] {
  const latenciesMs = loads.flatMap((load) => load.latenciesMs)
  const served = median(loads.map((load) => load.requestsPerSecond))
  const processor = [median(loads.map(({ serverMs }) => serverMs)), median(loads.map(({ postgresMs }) => postgresMs))]
  return [perSecond(served), ms(median(latenciesMs)), ms(quantile(latenciesMs, 0.99)), ...processor.map(ms)]
}

type Contenders = Record<'parley' | 'floor' | 'sized', Target> &
  Record<'parleyBytes' | 'floorBytes' | 'sizedBytes', number>

async function contendersOf(
  stage: Stage,
  contest: Contest,
  host: Person,
  guests: readonly string[],
  ids: readonly string[],
): Promise<Contenders> {
  const body = contest === 'create' ? JSON.stringify(weeklyReview(guests)) : ''
  const method = contest === 'create' ? 'POST' : 'GET'
  const target = ({ port }: { port: number }, paths: readonly string[]) =>
    inTurn(
      port,
      paths.map((path) => requestBytes(method, path, port === stage.parley.port ? host.token : '', body)),
    )
  const parleyPaths = {
    // Without mail, which the floor has none of.
    create: ['/api/meeting?sendUpdates=none'],
    get: ids.map((id) => `/api/meeting/meetingDetails/${id}`),
    list: [`/api/meeting/me?limit=${pageSize}`],
  }[contest]
  const floorPaths = (query: string) =>
    ({
      create: [`/meetings/${host.id}?${query}`],
      get: ids.map((id) => `/meeting/${id}?${query}`),
      list: [`/meetings/${host.id}?limit=${pageSize}&${query}`],
    })[contest]

  const parley = target(stage.parley, parleyPaths)
  const floor = target(stage.floor, floorPaths(''))
  const parleyBytes = await bodyBytesOf(parley)
  const missing = parleyBytes - (await bodyBytesOf(target(stage.floor, floorPaths('padding=0'))))
  const padding = Math.max(0, Math.round(missing / (contest === 'list' ? pageSize : 1)))
  const sized = target(stage.floor, floorPaths(`padding=${padding}`))
  const [floorBytes, sizedBytes] = [await bodyBytesOf(floor), await bodyBytesOf(sized)]
  return { parley, floor, sized, parleyBytes, floorBytes, sizedBytes }
}

/** Each of the requests, and then again. */
export function inTurn(port: number, requests: readonly Buffer[]): Target {
  let turn = 0
  return { port, nextRequest: () => requests[turn++ % requests.length] ?? Buffer.alloc(0) }
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
