import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomCases } from '../helpers/random-runs.ts'
import { byIcalJs, explain } from './compare.ts'
import { runUndoneCancellations } from './run-undone-cancellations.ts'

/** DELIVERY_SEED repeats the meetings of a run, DELIVERY_CASES sets their number. */
const usual = randomCases(3)
const seed = Number(process.env.DELIVERY_SEED ?? usual.seed)
const cases = Number(process.env.DELIVERY_CASES ?? usual.cases)
const rounds = 32

test('guests are told what an undo corrects, after failures of the mail server and whatever limits they have reached', async (context) => {
  context.diagnostic(`DELIVERY_SEED=${seed}`)
  const results = await runUndoneCancellations(context, { seed, cases, rounds })
  const wrong = results.filter((result) => {
    if (result.missing === 'given-up') return false
    const shown = byIcalJs(result)
    // A cancellation may wait for the limits of the next day; what takes place may not.
    if (result.missing === 'limit') return result.expected.some((date) => !shown.includes(date))
    return JSON.stringify(shown) !== JSON.stringify(result.expected)
  })
  const count = (missing: string) => results.filter((result) => result.missing === missing).length
  context.diagnostic(`${results.length} guests: ${wrong.length} wrong, ${count('limit')} at their limit`)
  assert.deepEqual(
    wrong.slice(0, 3).map((result) => explain(result, byIcalJs(result))),
    [],
  )
  assert.ok(count('given-up') < results.length / 2, 'most guests are compared')
})
