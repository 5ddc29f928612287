import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomCases } from '../helpers/random-runs.ts'
import { byIcalJs, explain, findWrong, summary } from './compare.ts'
import { runDeliveries } from './run-deliveries.ts'

/**
 * DELIVERY_SEED repeats the meetings of a run, DELIVERY_CASES sets their number, DELIVERY_SHOW=1 prints the longest
 * story.
 */
const usual = randomCases(20)
const seed = Number(process.env.DELIVERY_SEED ?? usual.seed)
const cases = Number(process.env.DELIVERY_CASES ?? usual.cases)
const casesAtOnce = 20
const rounds = 7

for (let first = 0; first < cases; first += casesAtOnce) {
  const ofSeed = seed + first / casesAtOnce
  test(`after random changes and failures of the mail server, guests’ calendars equal the meeting (ical.js), from ${first}`, async (context) => {
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
