import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Reception } from './reception.ts'

test('a packet counts once, also one that was requested again', () => {
  const reception = new Reception(7, 90_000)
  const receive = (sequenceNumber: number) => reception.receive(sequenceNumber, sequenceNumber * 3000, 1000)
  assert.deepEqual([10, 11, 13, 11, 13].map(receive), [true, true, true, false, false])
  assert.deepEqual(reception.takeMissing(1000), [12])
  assert.deepEqual([12, 12].map(receive), [true, false])
  assert.deepEqual(reception.takeMissing(2000), [])
  assert.equal(reception.takeReportBlock(2000).cumulativeLost, 0)
})

test('a stream that begins anew far away is a new one', () => {
  const reception = new Reception(7, 90_000)
  assert.ok(reception.receive(100, 0, 1000))
  assert.ok(reception.receive(20_000, 0, 1010))
  assert.ok(reception.receive(100, 0, 1020))
})
