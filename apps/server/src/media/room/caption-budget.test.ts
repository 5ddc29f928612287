import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DataPacket, UserPacket } from '@livekit/protocol'
import { dataTopics } from '@parley/contract'
import { CaptionBudget, captionRates, maxCaptionBytes } from './caption-budget.ts'

const packetOf = (topic: string, bytes = 1) =>
  new DataPacket({ value: { case: 'user', value: new UserPacket({ topic, payload: new Uint8Array(bytes) }) } })
const caption = packetOf(dataTopics.captions)

test('accepts captions up to the burst, then at the rate', () => {
  const budget = new CaptionBudget(0)
  const accepted = (count: number, nowMs: number) =>
    Array.from({ length: count }, () => budget.accepts(caption, nowMs)).filter(Boolean).length
  assert.equal(accepted(captionRates.burst + 1, 0), captionRates.burst)
  assert.equal(accepted(captionRates.perSecond + 1, 1000), captionRates.perSecond)
})

test('counts no other data', () => {
  const budget = new CaptionBudget(0)
  for (let count = 0; count < 2 * captionRates.burst; count++)
    assert.ok(budget.accepts(packetOf(dataTopics.chat, 10_000), 0))
  assert.ok(budget.accepts(caption, 0))
})

test('refuses a caption that is too long', () => {
  const budget = new CaptionBudget(0)
  assert.ok(budget.accepts(packetOf(dataTopics.captions, maxCaptionBytes), 0))
  assert.ok(!budget.accepts(packetOf(dataTopics.captions, maxCaptionBytes + 1), 0))
})
