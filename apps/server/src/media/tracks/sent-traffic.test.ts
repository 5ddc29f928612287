import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Observation, SentTraffic } from './sent-traffic.ts'

const startMs = 1_000_000
const clockDifferenceMs = -800_000
const octets = 1000

/** Send a packet each 10 ms. `delayMs` says how long each one takes, undefined for a lost one; reports each 100 ms. */
function play(count: number, delayMs: (index: number) => number | undefined, traffic = new SentTraffic(), from = 0) {
  const seen: Observation[] = []
  let cuts = 0
  for (let first = from; first < from + count; first += 10) {
    const arrivals: (number | undefined)[] = []
    let base = 0
    for (let index = first; index < first + 10; index++) {
      const atMs = startMs + index * 10
      const sequence = traffic.record(7, octets, atMs)
      if (index === first) base = sequence
      const delay = delayMs(index)
      arrivals.push(delay === undefined ? undefined : atMs + delay + clockDifferenceMs)
    }
    const observation = traffic.applyReport({ base, arrivals }, startMs + (first + 10) * 10)
    if (observation === 'cut') cuts += 1
    else if (observation !== undefined) seen.push(observation)
  }
  return { seen, cuts, traffic }
}

test('an empty line has no queue and no loss, whatever the difference of the clocks', () => {
  const { seen } = play(100, () => 20)
  assert.ok(seen.length >= 3)
  // When the first packets began to arrive is not known.
  for (const { queueMs, lost, bitsPerSecond } of seen.slice(1)) {
    assert.deepEqual([queueMs, lost], [0, 0])
    assert.ok(Math.abs(bitsPerSecond - 800_000) < 100_000, `${bitsPerSecond}`)
  }
})

test('a queue is what even the fastest packet waited', () => {
  const { seen } = play(200, (index) => 20 + (index < 100 ? 0 : 120) + (index % 3) * 10)
  assert.equal(seen[0]?.queueMs, 0)
  assert.equal(seen.at(-1)?.queueMs, 120)
})

test('a client that reads its socket late now and then has no queue', () => {
  const { seen } = play(200, (index) => 20 + (index % 10 < 8 ? 100 : 0))
  assert.ok(seen.every(({ queueMs }) => queueMs === 0))
})

test('counts losses, but none of a stream that the client has not set up yet', () => {
  const lossy = play(200, (index) => (index < 10 || index % 4 === 0 ? undefined : 20))
  const first = lossy.seen[0]
  assert.ok(first !== undefined && first.lost < 10)
  const last = lossy.seen.at(-1)
  assert.ok(last !== undefined && Math.abs(last.loss - 0.25) < 0.06, `${last?.loss}`)
})

test('the end of a cut is said once, and is no congestion', () => {
  const { seen, cuts } = play(1000, (index) => (index >= 300 && index < 700 ? undefined : 20))
  assert.ok(seen.every(({ loss }) => loss === 0))
  assert.equal(cuts, 1)
  assert.equal(play(1000, (index) => (index >= 300 && index < 420 ? undefined : 20)).cuts, 0, 'a shorter loss')
})

test('a silence in which nothing was sent is no cut', () => {
  const { traffic } = play(100, () => 20)
  const atMs = startMs + 60_000
  const sequences = [0, 1, 2].map((index) => traffic.record(7, octets, atMs + index * 200))
  const report = { base: sequences[0] ?? 0, arrivals: [0, 200, 400].map((ms) => atMs + ms + 20 + clockDifferenceMs) }
  assert.equal(traffic.applyReport(report, atMs + 500), undefined)
})

test('counts each packet once, and ignores packets that were never sent', () => {
  const { traffic } = play(100, () => 20)
  const again = { base: 60, arrivals: Array(40).fill(startMs + 5000 + clockDifferenceMs) }
  assert.equal(traffic.applyReport(again, startMs + 2000), undefined)
  assert.equal(traffic.applyReport({ ...again, base: 30_000 }, startMs + 3000), undefined)
})

test('forgets the empty line after a while: a longer route is no queue', () => {
  const { seen } = play(4000, (index) => (index < 500 ? 20 : 80))
  assert.equal(seen.at(-1)?.queueMs, 0)
})

test('goes on when the sequence numbers begin anew', () => {
  const traffic = new SentTraffic()
  for (let index = 0; index < 65_500; index++) traffic.record(7, octets, startMs)
  const { seen } = play(200, () => 20, traffic, 1000)
  assert.ok(seen.length >= 3 && seen.every(({ lost, queueMs }) => lost === 0 && queueMs === 0))
})
