import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { debianPython } from '../helpers/debian-python.ts'
import { byIcalJs, findWrong, summary } from './compare.ts'
import { type GuestResult, runDeliveries } from './run-deliveries.ts'

/**
 * npm run test:interop: the same test with Debian's icalendar and recurring-ical-events, installed by
 * scripts/install-interop-tools.sh.
 */
const seed = Number(process.env.DELIVERY_SEED ?? Math.floor(Math.random() * 1_000_000))
const cases = Number(process.env.DELIVERY_CASES ?? 2_000)
const casesAtOnce = 100
const rounds = 8

const program = fileURLToPath(new URL('python/attend.py', import.meta.url))

before(async () => {
  await promisify(execFile)(debianPython, ['-c', 'import icalendar, recurring_ical_events']).catch(() => {
    throw new Error(
      'Install python3-icalendar and python3-recurring-ical-events, or run scripts/install-interop-tools.sh.',
    )
  })
})

/** recurring-ical-events 2.0.1 loses the last date if summer time has begun since the first (docs/decisions/0011). */
function losesLast({ expected, mails }: GuestResult, shown: readonly string[]): boolean {
  const last = mails.at(-1)?.calendar ?? ''
  return (
    /UNTIL=/.test(last) &&
    /BEGIN:DAYLIGHT/.test(last) &&
    JSON.stringify(shown) === JSON.stringify(expected.slice(0, -1))
  )
}

for (let first = 0; first < cases; first += casesAtOnce) {
  const ofSeed = seed + first / casesAtOnce
  test(`after random changes and failures of the mail server, guests’ calendars equal the meeting (icalendar), from ${first}`, async (context) => {
    context.diagnostic(`DELIVERY_SEED=${ofSeed}`)
    const child = spawn(debianPython, [program], { stdio: ['pipe', 'pipe', 'inherit'] })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    context.after(() => child.stdin.end())
    let lost = 0
    const attend = async ({ mails, from, until }: GuestResult): Promise<string[]> => {
      child.stdin.write(`${JSON.stringify({ calendars: mails.map(({ calendar }) => calendar), from, until })}\n`)
      const { value, done } = await lines.next()
      if (done) throw new Error('The reader ended before it said anything')
      return JSON.parse(value).dates
    }
    const isKnown = (result: GuestResult, shown: readonly string[]) => {
      const isLost = losesLast(result, shown)
      if (isLost) lost++
      return isLost
    }
    const run = await runDeliveries(context, { seed: ofSeed, cases: casesAtOnce, rounds })
    const wrong = await findWrong(run.results, attend, isKnown)
    const wrongByIcalJs = await findWrong(run.results, byIcalJs)
    context.diagnostic(
      `${summary(run, wrong)}; ${lost} last dates that the reader loses; by ical.js ${wrongByIcalJs.length} wrong`,
    )
    assert.deepEqual(wrongByIcalJs.slice(0, 3), [])
    assert.deepEqual(wrong.slice(0, 3), [])
    assert.ok(lost < run.results.length / 10, 'a rare date')
  })
}
