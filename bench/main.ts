import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { buildWebWhenStale } from '../scripts/build-web.ts'
import { judged, ms, printTable } from './figures.ts'
import { benchIdleMemory, benchMemory, benchStart } from './footprint.ts'
import { benchAgainstFloor, type Contest } from './meetings/against-floor.ts'
import { benchFilters, benchListSizes } from './meetings/lists.ts'
import { benchRecurrence } from './meetings/recurrence.ts'
import { benchOauth } from './oauth/oauth.ts'
import { benchRefusals } from './oauth/refusals.ts'
import { benchObservability } from './observability.ts'
import { benchOverload } from './overload.ts'
import { insertMeetings, type Person, settle, signUp } from './prepared-data.ts'
import { runReportCommand } from './report/main.ts'
import { benchFloods } from './rooms/floods.ts'
import { benchRoomVisits } from './rooms/room-visits.ts'
import { benchRooms } from './rooms/rooms.ts'
import { buildStage, type Stage } from './stage.ts'
import { benchStreams } from './streams.ts'
import { benchWeb } from './web.ts'

/**
 * npm run bench: everything but report and soak; npm run bench -- get list: these parts; npm run bench -- streams
 * --streams 10000; npm run bench -- report --workload get (bench/report/main.ts). Prints figures and judges nothing: the
 * exit code tells whether all was measured. docs/performance.md says what the figures mean.
 */
const parts = [
  'recurrence',
  'start',
  'get',
  'list',
  'create',
  'sizes',
  'filters',
  'oauth',
  'refusals',
  'memory',
  'web',
  'rooms',
  'visits',
  'floods',
  'streams',
  'overload',
  'observability',
] as const
/** These start servers of their own. */
const apart: readonly Part[] = ['recurrence', 'start', 'rooms', 'visits', 'floods', 'streams']
type Part = (typeof parts)[number]

/** They last long and have options of their own, so they run only when asked for, and alone. */
const isReport = ['report', 'soak'].includes(process.argv[2] ?? '')

const isPart = (word: string): word is Part => parts.some((part) => part === word)
const { positionals: asked, values: options } = parseArgs({
  ...(isReport && { args: [] }),
  allowPositionals: true,
  options: {
    streams: { type: 'string', default: '1000' },
    'guests-per-room': { type: 'string', default: '20' },
    seconds: { type: 'string', default: '60' },
    times: { type: 'string', default: '3' },
    connections: { type: 'string', default: '2000' },
  },
})
const unknown = asked.filter((word) => !isPart(word))
if (unknown.length > 0) {
  console.error(`Not a part of the benchmark: ${unknown.join(', ')}. The parts are: ${parts.join(', ')}, report, soak.`)
  process.exit(1)
}
const wanted = new Set<Part>(asked.length === 0 ? parts : asked.filter(isPart))

const started = new AsyncDisposableStack()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, async () => {
    await started.disposeAsync()
    process.exit(130)
  })
}
try {
  await (isReport ? runReportCommand(process.argv.slice(2), started) : run())
} catch (error) {
  // What an interruption breaks off fails, and is no news.
  if (!started.disposed) console.error(error)
  process.exitCode = 1
} finally {
  await started.disposeAsync()
}

async function run() {
  console.log(`Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} cores`)
  if (wanted.has('recurrence')) await showRecurrence()
  if (wanted.has('start')) await benchStart()
  if (wanted.has('memory')) await benchIdleMemory()
  if (wanted.has('rooms')) await benchRooms()
  if (wanted.has('visits')) await benchRoomVisits()
  if (wanted.has('floods')) await benchFloods()
  if (wanted.has('streams')) {
    const guestsPerRoom = Number(options['guests-per-room'])
    await benchStreams({ streams: Number(options.streams), guestsPerRoom, seconds: Number(options.seconds) })
  }
  const onStage = parts.filter((part) => wanted.has(part) && !apart.includes(part))
  if (onStage.length === 0) return

  // The service reads the pages when it starts.
  if (wanted.has('web')) await buildWebWhenStale()
  const stage = await buildStage(started)
  const isOfMeetings = (part: Part) => !['oauth', 'refusals', 'web', 'overload', 'observability'].includes(part)
  const host = onStage.some(isOfMeetings) ? await benchMeetings(stage) : undefined
  if (wanted.has('oauth')) await benchOauth(stage, started)
  if (wanted.has('refusals')) await benchRefusals(stage)
  if (wanted.has('memory') && host !== undefined) await benchMemory(stage, host)
  if (wanted.has('web')) await benchWeb(stage, started)
  if (wanted.has('observability')) await benchObservability(stage, started)
  if (wanted.has('overload')) {
    const { seconds, times, connections } = options
    await benchOverload(stage, { seconds: Number(seconds), times: Number(times), connections: Number(connections) })
  }
}

/** The host of the lists, for what comes later. */
async function benchMeetings(stage: Stage): Promise<Person> {
  const { hosts, guest } = await prepare(stage)
  const contests = (['get', 'list', 'create'] as const).filter((contest: Contest) => wanted.has(contest))
  const guests = [guest.email, 'somebody@example.com']
  if (contests.length > 0) await benchAgainstFloor(stage, hosts.of100k, guests, contests)
  if (wanted.has('sizes')) await benchListSizes(stage, hosts)
  if (wanted.has('filters')) await benchFilters(stage, hosts.of100k, guest, new Date())
  return hosts.of100k
}

/** Hosts with more and more meetings, each of which invites somebody with and somebody without an account. */
async function prepare(stage: Stage) {
  const beganMs = performance.now()
  const neighbour = await signUp(stage, 'neighbour')
  const guest = await signUp(stage, 'guest')
  const colleague = await signUp(stage, 'colleague')
  const hosts = {
    of10k: await signUp(stage, 'host-of-10k'),
    of100k: await signUp(stage, 'host-of-100k'),
    of1M: await signUp(stage, 'host-of-1m'),
  }
  const insert = (host: Person, count: number, firstCode: number, guests: string[]) =>
    insertMeetings(stage, { host, count, firstCode, guests })
  // Everybody is also invited to some meetings of others, as in life.
  await insert(
    neighbour,
    200,
    1_000_000_000,
    Object.values(hosts).map(({ email }) => email),
  )
  await insert(hosts.of10k, 10_000, 2_000_000_000, [colleague.email, 'somebody@example.com'])
  await insert(hosts.of100k, 100_000, 3_000_000_000, [guest.email, 'somebody@example.com'])
  if (wanted.has('sizes')) {
    await insert(hosts.of1M, 1_000_000, 4_000_000_000, [colleague.email, 'somebody@example.com'])
  }
  await settle(stage)
  console.log(`Data prepared in ${((performance.now() - beganMs) / 1000).toFixed(0)} s`)
  return { hosts, guest }
}

async function showRecurrence() {
  const rows = await benchRecurrence()
  const leastAhead = { kind: 'at least', value: 10 } as const
  printTable('Recurrence, each contender in turn, medians', [
    ['', 'Parley, starts', 'occurrences', 'rrule-temporal', 'times Parley, starts', 'rrule', 'times Parley, starts'],
    ...rows.map(({ task, startsMs, occurrencesMs, rruleTemporalMs, rruleMs }) => [
      ...[task, ms(startsMs), ms(occurrencesMs), ms(rruleTemporalMs)],
      ...[judged(rruleTemporalMs / startsMs, leastAhead), ms(rruleMs), (rruleMs / startsMs).toFixed(1)],
    ]),
  ])
}
