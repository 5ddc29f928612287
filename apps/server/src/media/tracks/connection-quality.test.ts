import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectionQuality, TrackInfo, VideoLayer } from '@livekit/protocol'
import { type Observed, rateConnection, shortageOf } from './connection-quality.ts'
import { Layer } from './layer.ts'

const clear: Observed = { uplinkLoss: 0, downlinkLoss: 0, downlinkShare: 1, uplinkShortage: 'none', silentMs: 0 }
const cases: [Partial<Observed>, keyof typeof ConnectionQuality][] = [
  [{}, 'EXCELLENT'],
  [{ uplinkLoss: 0.019, silentMs: 10_000 }, 'EXCELLENT'],
  [{ uplinkLoss: 0.02 }, 'GOOD'],
  [{ downlinkLoss: 0.079 }, 'GOOD'],
  [{ downlinkShare: 0.99 }, 'GOOD'],
  [{ uplinkShortage: 'some', downlinkShare: 0.2 }, 'GOOD'],
  [{ downlinkLoss: 0.08 }, 'POOR'],
  [{ downlinkShare: 0.19 }, 'POOR'],
  [{ uplinkShortage: 'most' }, 'POOR'],
  [{ silentMs: 10_001 }, 'LOST'],
]
for (const [observed, quality] of cases) {
  test(`${JSON.stringify(observed)} is ${quality}`, () =>
    assert.equal(rateConnection({ ...clear, ...observed }), ConnectionQuality[quality]))
}

const nowMs = 10_000
const announced = [150_000, 500_000, 1_700_000]

/** A camera of three layers, each with the octets that it sends in a packet every 100 ms. */
function camera(...octets: number[]) {
  const layers = announced.map((_, index) => new Layer(index, '', 90_000))
  for (let atMs = nowMs - 4000; atMs <= nowMs; atMs += 100)
    for (const [index, layer] of layers.entries()) if (octets[index]) layer.recordPacket(octets[index], atMs)
  const info = new TrackInfo({ layers: announced.map((bitrate) => new VideoLayer({ bitrate })) })
  return { layers, info }
}

const shortages: [string, number[], number, ReturnType<typeof shortageOf>][] = [
  ['all layers', [1800, 6000, 20_000], 3, 'none'],
  ['only the layers that are watched', [1800], 1, 'none'],
  ['one layer too few', [1800, 6000], 3, 'some'],
  ['only the smallest layer, in full', [1600], 3, 'some'],
  ['only a thin part of the smallest layer', [1300], 3, 'most'],
  ['nothing yet', [], 3, 'none'],
]
for (const [what, octets, enabled, shortage] of shortages) {
  test(`a camera that sends ${what} lacks ${shortage}`, () => {
    const { layers, info } = camera(...octets)
    assert.equal(shortageOf({ layers, info }, layers.slice(0, enabled), nowMs), shortage)
  })
}

test('a camera that has stopped without being muted lacks most', () => {
  const { layers, info } = camera(1800)
  assert.equal(shortageOf({ layers, info }, layers, nowMs + 2000), 'most')
})
