import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allocateLayers, chooseLayer, type Demand, noLayer } from './layer-allocation.ts'

const layers = (...rates: number[]) =>
  rates.map((bitsPerSecond, index) => ({ index, bitsPerSecond, active: bitsPerSecond > 0 }))

const choices = [
  ['the largest that is wanted', layers(100, 300, 900), 1, 1],
  ['the largest that is sent', layers(100, 300, 0), 2, 1],
  ['a larger one when no smaller is sent', layers(0, 300, 900), 0, 1],
  ['none when none is sent', layers(0, 0, 0), 2, undefined],
  ['the only one', layers(500), 2, 0],
] as const
for (const [what, states, wanted, chosen] of choices) {
  test(`of the layers, ${what}`, () => assert.equal(chooseLayer(states, wanted), chosen))
}

const demand = (current: number | undefined, isScreen = false): Demand => ({
  layers: layers(100, 300, 900),
  wanted: 2,
  current,
  isPaused: false,
  isScreen,
})
const divisions: [string, number, Demand[], number[]][] = [
  ['without a limit everybody has what they want', Number.POSITIVE_INFINITY, [demand(0), demand(0)], [2, 2]],
  ['too thin a line carries no video', 89, [demand(0), demand(0)], [noLayer, noLayer]],
  ['what fits for one is not taken from both', 90, [demand(0), demand(0)], [0, noLayer]],
  ['a paused video needs a tenth more to return', 109, [demand(undefined)], [noLayer]],
  ['and then returns', 111, [demand(undefined)], [0]],
  ['a large tile is kept rather than a small one', 90, [{ ...demand(0), wanted: 1 }, demand(0)], [noLayer, 0]],
  ['a screen is kept rather than a face', 90, [demand(0), demand(0, true)], [noLayer, 0]],
  // A layer that is not sent yet counts a tenth more, one that is sent a tenth less.
  ['below what the next layer takes', 329, [demand(0)], [0]],
  ['at what the next layer takes', 330, [demand(0)], [1]],
  ['the layer that is sent is kept until it is a tenth short', 270, [demand(1)], [1]],
  ['and then given up', 269, [demand(1)], [0]],
  ['what is left goes round', 420, [demand(0), demand(0)], [1, 0]],
  ['screens are served first', 420, [demand(0), demand(0, true)], [0, 1]],
  ['what is not wanted is not given', 5000, [{ ...demand(0), wanted: 1 }], [1]],
  ['who sends nothing takes nothing', 330, [{ ...demand(undefined), layers: layers(0, 0) }, demand(0)], [0, 1]],
  ['a paused video that sends nothing stays paused', 330, [{ ...demand(0), layers: layers(0), isPaused: true }], [-1]],
]
for (const [what, limit, demands, allowed] of divisions) {
  test(`a link of ${limit}: ${what}`, () => assert.deepEqual(allocateLayers(limit, demands).allowed, allowed))
}

const summaries: [string, number, Demand[], number | undefined, number][] = [
  ['everything is there', 991, [demand(0)], undefined, 1],
  ['the smallest layer is missing', 50, [demand(0)], 120, 0],
  ['the next layer is missing', 110, [demand(0)], 360, 100 / 900],
  ['two are missing, of which the smaller counts', 420, [demand(1), demand(undefined)], 720, 400 / 1800],
  ['nothing is sent', 50, [{ ...demand(0), layers: layers(0) }], undefined, 1],
]
for (const [what, limit, demands, nextLimit, share] of summaries) {
  test(`a link of ${limit}: ${what}`, () => {
    const allocation = allocateLayers(limit, demands)
    assert.deepEqual([allocation.nextLimit, allocation.share], [nextLimit, share])
  })
}
