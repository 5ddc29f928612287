import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { benchFairShares } from './fair-shares.ts'
import { type BenchFixture, startFixture } from './fixture.ts'
import { benchAgainstBaseline, type Comparison } from './meetings/against-baseline.ts'
import { benchRecurrence } from './meetings/recurrence.ts'
import { benchIdleMemory, benchMemory, benchStart } from './memory.ts'
import { benchOauth } from './oauth/oauth.ts'
import { benchOverload } from './overload.ts'
import { insertMeetings, type Person, signUp, vacuumMeetings } from './prepared-data.ts'
import { benchReport } from './report.ts'
import { benchLines } from './rooms/lines.ts'
import { benchRooms } from './rooms/rooms.ts'
import { benchSoak } from './soak.ts'
import { benchStreams } from './streams.ts'
import { benchWeb } from './web.ts'
import { benchWebhooks } from './webhooks.ts'

/**
 * npm run bench: everything except lines, report and soak. npm run bench -- get list: only these parts. npm run bench --
 * streams --streams 10000: a part with its options. Figures that miss their target do not fail the run: the exit code
 * says whether everything was measured. docs/performance.md explains the figures.
 */
const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string' },
    connections: { type: 'string' },
    streams: { type: 'string', default: '1000' },
    'guests-per-room': { type: 'string', default: '20' },
    times: { type: 'string', default: '3' },
    events: { type: 'string', default: '100000' },
    workload: { type: 'string' },
    rate: { type: 'string' },
    phase: { type: 'string' },
    'other-engine': { type: 'string' },
    line: { type: 'string' },
  },
})

/** The number of an option, at least 1. */
function readNumber(name: 'seconds' | 'connections', byDefault: number): number {
  const number = Number(options[name] ?? byDefault)
  if (!(number >= 1)) throw new Error(`--${name} must be a number from 1`)
  return number
}

const comparisons: readonly Comparison[] = ['get', 'list', 'create']
const ofMeetings = [...comparisons, 'memory']

/** Parts that start their own processes. */
const alone: Record<string, () => Promise<void>> = {
  recurrence: benchRecurrence,
  start: benchStart,
  rooms: benchRooms,
  streams: () => {
    const guestsPerRoom = Number(options['guests-per-room'])
    return benchStreams({ streams: Number(options.streams), guestsPerRoom, seconds: readNumber('seconds', 60) })
  },
  webhooks: () => benchWebhooks(Number(options.events), started),
  web: () => benchWeb(started),
  shares: () => benchFairShares(readNumber('seconds', 10), started),
}
/** Parts that share the service and the baseline. */
const onFixture: Record<string, (fixture: BenchFixture) => Promise<void>> = {
  oauth: (fixture) => benchOauth(fixture, started),
  overload: (fixture) => {
    const connections = readNumber('connections', 2_000)
    return benchOverload(fixture, { seconds: readNumber('seconds', 60), times: Number(options.times), connections })
  },
}
/** Long parts, which run only when they are named. */
const long: Record<string, () => Promise<void>> = {
  report: () =>
    benchReport(
      {
        workload: options.workload,
        phase: options.phase,
        seconds: readNumber('seconds', 600),
        ratePerSecond: options.rate === undefined ? undefined : Number(options.rate),
        connections: readNumber('connections', 64),
      },
      started,
    ),
  lines: () => benchLines(options['other-engine'], options.line),
  soak: () => benchSoak(readNumber('seconds', 3_600), started),
}
const parts = [...Object.keys(alone), ...ofMeetings, ...Object.keys(onFixture)]
const unknown = positionals.filter((word) => !parts.includes(word) && !(word in long))
if (unknown.length > 0) {
  console.error(`Not a part: ${unknown.join(', ')}. The parts are: ${[...parts, ...Object.keys(long)].join(', ')}.`)
  process.exit(1)
}
const wanted = new Set(positionals.length === 0 ? parts : positionals)

const started = new AsyncDisposableStack()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, async () => {
    await started.disposeAsync()
    process.exit(130)
  })
}
try {
  await run()
} catch (error) {
  // An interruption makes pending measurements fail, which is not worth reporting.
  if (!started.disposed) console.error(error)
  process.exitCode = 1
} finally {
  await started.disposeAsync()
}

async function run() {
  console.log(`Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} cores`)
  if (wanted.has('memory')) await benchIdleMemory()
  for (const [name, bench] of Object.entries({ ...alone, ...long })) if (wanted.has(name)) await bench()
  if (![...ofMeetings, ...Object.keys(onFixture)].some((part) => wanted.has(part))) return

  const fixture = await startFixture(started)
  const host = ofMeetings.some((part) => wanted.has(part)) ? await benchMeetings(fixture) : undefined
  for (const [name, bench] of Object.entries(onFixture)) if (wanted.has(name)) await bench(fixture)
  if (wanted.has('memory') && host !== undefined) await benchMemory(fixture, host)
}

/**
 * Prepare a host with 100,000 meetings, each with two guests, one with and one without an account.
 * @returns the host, for later parts
 */
async function benchMeetings(fixture: BenchFixture): Promise<Person> {
  const [neighbour, guest] = [await signUp(fixture, 'neighbour'), await signUp(fixture, 'guest')]
  const host = await signUp(fixture, 'host-of-100k')
  // The host is also invited to some meetings of another host.
  await insertMeetings(fixture, { host: neighbour, count: 200, firstCode: 1_000_000_000, guests: [host.email] })
  const guests = [guest.email, 'somebody@example.com']
  await insertMeetings(fixture, { host, count: 100_000, firstCode: 3_000_000_000, guests })
  await vacuumMeetings(fixture)
  const compared = comparisons.filter((comparison) => wanted.has(comparison))
  if (compared.length > 0) await benchAgainstBaseline(fixture, host, guests, compared)
  return host
}
