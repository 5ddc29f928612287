import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byIcalJs, explain, findWrong, summary } from './compare.ts'
import { runDeliveries } from './run-deliveries.ts'

/**
 * DELIVERY_SEED repeats the meetings of a run, DELIVERY_CASES sets their number, DELIVERY_SHOW=1 prints the longest
 * story.
 */
const seed = Number(process.env.DELIVERY_SEED ?? Math.floor(Math.random() * 1_000_000))
const cases = Number(process.env.DELIVERY_CASES ?? 50)
const casesAtOnce = 50
const rounds = 7
/** Within `npm test`, a slow machine tries fewer meetings. */
const enoughMs = process.env.DELIVERY_CASES === undefined ? 20_000 : Number.POSITIVE_INFINITY

const begun = performance.now()
for (let first = 0; first < cases; first += casesAtOnce) {
  const ofSeed = seed + first / casesAtOnce
  test(`after random changes and failures of the mail server, guests’ calendars equal the meeting (ical.js), from ${first}`, async (context) => {
    if (performance.now() - begun > enoughMs) return context.diagnostic('enough were tried')
    context.diagnostic(`DELIVERY_SEED=${ofSeed}`)
    const run = await runDeliveries(context, { seed: ofSeed, cases: casesAtOnce, rounds })
    const wrong = await findWrong(run.results, byIcalJs)
    context.diagnostic(summary(run, wrong))
    const [longest] = run.results.toSorted((one, other) => other.mails.length - one.mails.length)
    if (process.env.DELIVERY_SHOW === '1' && longest !== undefined) console.log(explain(longest, byIcalJs(longest)))
    assert.deepEqual(wrong.slice(0, 3), [])
    assert.ok(run.results.length > casesAtOnce, 'most guests are compared')
  })
}
