import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectionQuality } from '@livekit/protocol'
import { type Observed, rateConnection } from './connection-quality.ts'

const clear: Observed = { uplinkLoss: 0, downlinkLoss: 0, isLimited: false, silentMs: 0 }
const cases: [Partial<Observed>, keyof typeof ConnectionQuality][] = [
  [{}, 'EXCELLENT'],
  [{ uplinkLoss: 0.019, silentMs: 10_000 }, 'EXCELLENT'],
  [{ uplinkLoss: 0.02 }, 'GOOD'],
  [{ downlinkLoss: 0.079 }, 'GOOD'],
  [{ isLimited: true }, 'GOOD'],
  [{ downlinkLoss: 0.08 }, 'POOR'],
  [{ silentMs: 10_001 }, 'LOST'],
]
for (const [observed, quality] of cases) {
  test(`${JSON.stringify(observed)} is ${quality}`, () =>
    assert.equal(rateConnection({ ...clear, ...observed }), ConnectionQuality[quality]))
}
