import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { buildWebWhenStale } from '../scripts/build-web.ts'
import { benchFairShares } from './fair-shares.ts'
import { evaluateTarget, ms, printTable } from './figures.ts'
import { type BenchFixture, startFixture } from './fixture.ts'
import { benchFollowers } from './followers.ts'
import { benchAgainstBaseline, type Comparison } from './meetings/against-baseline.ts'
import { benchCalendars } from './meetings/calendars.ts'
import { benchChangedOccurrences } from './meetings/changed-occurrences.ts'
import { benchFilters, benchListSizes } from './meetings/lists.ts'
import { benchRecurrence } from './meetings/recurrence.ts'
import { benchIdleMemory, benchMemory, benchStart } from './memory.ts'
import { benchOauth } from './oauth/oauth.ts'
import { benchObservability } from './observability.ts'
import { benchOverload } from './overload.ts'
import { insertMeetings, type Person, signUp, vacuumMeetings } from './prepared-data.ts'
import { runReportCommand } from './report/main.ts'
import { benchFloods } from './rooms/floods.ts'
import { benchRoomVisits } from './rooms/room-visits.ts'
import { benchRooms } from './rooms/rooms.ts'
import { benchStreams } from './streams.ts'
import { benchWeb } from './web.ts'
import { benchEventCost } from './webhooks/event-cost.ts'
import { benchEvents } from './webhooks/events.ts'

/**
 * npm run bench: everything except report and soak. npm run bench -- get list: only these parts. npm run bench --
 * streams --streams 10000, and npm run bench -- report --workload get: parts with options (bench/report/main.ts).
 * Figures that miss their target do not fail the run: the exit code says whether everything was measured.
 * docs/performance.md explains the figures.
 */
const parts = [
  'recurrence',
  'calendars',
  'start',
  'get',
  'list',
  'create',
  'sizes',
  'filters',
  'occurrences',
  'oauth',
  'memory',
  'web',
  'rooms',
  'visits',
  'floods',
  'streams',
  'followers',
  'events',
  'event-cost',
  'overload',
  'observability',
  'shares',
] as const
/** Parts that start their own servers. */
const standaloneParts: readonly Part[] = [
  'recurrence',
  'calendars',
  'start',
  'rooms',
  'visits',
  'floods',
  'streams',
  'followers',
  'events',
  'shares',
]
type Part = (typeof parts)[number]

/** Long commands with their own options: they run only when named, and alone. */
const isReport = ['report', 'soak'].includes(process.argv[2] ?? '')

const isPart = (word: string): word is Part => parts.some((part) => part === word)
const { positionals: named, values: options } = parseArgs({
  ...(isReport && { args: [] }),
  allowPositionals: true,
  options: {
    streams: { type: 'string', default: '1000' },
    followers: { type: 'string', default: '1000' },
    'guests-per-room': { type: 'string', default: '20' },
    seconds: { type: 'string', default: '60' },
    times: { type: 'string', default: '3' },
    connections: { type: 'string', default: '2000' },
    events: { type: 'string', default: '100000' },
  },
})
const unknown = named.filter((word) => !isPart(word))
if (unknown.length > 0) {
  console.error(`Not a part of the benchmark: ${unknown.join(', ')}. The parts are: ${parts.join(', ')}, report, soak.`)
  process.exit(1)
}
const wanted = new Set<Part>(named.length === 0 ? parts : named.filter(isPart))

/** For each kind of request that one account sends. */
const sharesSeconds = 10

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
  // An interruption makes pending measurements fail, which is not worth reporting.
  if (!started.disposed) console.error(error)
  process.exitCode = 1
} finally {
  await started.disposeAsync()
}

async function run() {
  console.log(`Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} cores`)
  if (wanted.has('recurrence')) await showRecurrence()
  if (wanted.has('calendars')) await showCalendars()
  if (wanted.has('start')) await benchStart()
  if (wanted.has('memory')) await benchIdleMemory()
  if (wanted.has('rooms')) await benchRooms()
  if (wanted.has('visits')) await benchRoomVisits()
  if (wanted.has('floods')) await benchFloods()
  if (wanted.has('streams')) {
    const guestsPerRoom = Number(options['guests-per-room'])
    await benchStreams({ streams: Number(options.streams), guestsPerRoom, seconds: Number(options.seconds) })
  }
  if (wanted.has('followers')) {
    await benchFollowers({ followers: Number(options.followers), seconds: Number(options.seconds) })
  }
  if (wanted.has('events')) await benchEvents({ events: Number(options.events) }, started)
  if (wanted.has('shares')) await benchFairShares({ seconds: sharesSeconds }, started)
  const onFixture = parts.filter((part) => wanted.has(part) && !standaloneParts.includes(part))
  if (onFixture.length === 0) return

  // The service reads the pages when it starts.
  if (wanted.has('web')) await buildWebWhenStale()
  const fixture = await startFixture(started)
  const isOfMeetings = (part: Part) =>
    !['occurrences', 'event-cost', 'oauth', 'web', 'overload', 'observability'].includes(part)
  const host = onFixture.some(isOfMeetings) ? await benchMeetings(fixture) : undefined
  if (wanted.has('occurrences')) await benchChangedOccurrences(fixture)
  if (wanted.has('event-cost')) await benchEventCost(fixture)
  if (wanted.has('oauth')) await benchOauth(fixture, started)
  if (wanted.has('memory') && host !== undefined) await benchMemory(fixture, host)
  if (wanted.has('web')) await benchWeb(fixture, started)
  if (wanted.has('observability')) await benchObservability(fixture, started)
  if (wanted.has('overload')) {
    const { seconds, times, connections } = options
    await benchOverload(fixture, { seconds: Number(seconds), times: Number(times), connections: Number(connections) })
  }
}

/** @returns the host with 100,000 meetings, for later parts */
async function benchMeetings(fixture: BenchFixture): Promise<Person> {
  const { hosts, guest } = await prepare(fixture)
  const comparisons = (['get', 'list', 'create'] as const).filter((comparison: Comparison) => wanted.has(comparison))
  const guests = [guest.email, 'somebody@example.com']
  if (comparisons.length > 0) await benchAgainstBaseline(fixture, hosts.of100k, guests, comparisons)
  if (wanted.has('sizes')) await benchListSizes(fixture, hosts)
  if (wanted.has('filters')) await benchFilters(fixture, hosts.of100k, guest, new Date())
  return hosts.of100k
}

/**
 * Prepare hosts with 10,000 to 1,000,000 meetings. Each meeting has two guests, one with and one without an account.
 */
async function prepare(fixture: BenchFixture) {
  const beganMs = performance.now()
  const neighbour = await signUp(fixture, 'neighbour')
  const guest = await signUp(fixture, 'guest')
  const colleague = await signUp(fixture, 'colleague')
  const hosts = {
    of10k: await signUp(fixture, 'host-of-10k'),
    of100k: await signUp(fixture, 'host-of-100k'),
    of1M: await signUp(fixture, 'host-of-1m'),
  }
  const insert = (host: Person, count: number, firstCode: number, guests: string[]) =>
    insertMeetings(fixture, { host, count, firstCode, guests })
  // All hosts are also invited to some meetings of other hosts.
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
  await vacuumMeetings(fixture)
  console.log(`Data prepared in ${((performance.now() - beganMs) / 1000).toFixed(0)} s`)
  return { hosts, guest }
}

async function showCalendars() {
  const rows = await benchCalendars()
  const maxHeld = { kind: 'at most', value: 200 } as const
  printTable('Calendars, the largest that the limits allow, beside small ones', [
    ['', 'KB', 'events', 'composed in', 'longest hold of the thread, ms'],
    ...rows.map(({ what, bytes, events, tookMs, heldMs }) => [
      what,
      (bytes / 1000).toFixed(1),
      String(events),
      ms(tookMs),
      evaluateTarget(heldMs, maxHeld),
    ]),
  ])
}

async function showRecurrence() {
  const rows = await benchRecurrence()
  const minRatio = { kind: 'at least', value: 10 } as const
  printTable('Recurrence, implementations in turns, medians', [
    ['', 'Parley, starts', 'occurrences', 'rrule-temporal', 'times Parley, starts', 'rrule', 'times Parley, starts'],
    ...rows.map(({ task, startsMs, occurrencesMs, rruleTemporalMs, rruleMs }) => [
      task,
      ms(startsMs),
      ms(occurrencesMs),
      ms(rruleTemporalMs),
      evaluateTarget(rruleTemporalMs / startsMs, minRatio),
      ms(rruleMs),
      (rruleMs / startsMs).toFixed(1),
    ]),
  ])
}
