import assert from 'node:assert/strict'
import { test } from 'node:test'
import { identityRate, JoinRates, networkRate } from './join-rates.ts'

test('limits how often a participant may rejoin, recovers with time, and delays no others', () => {
  const rates = new JoinRates()
  for (let times = 0; times < identityRate.burst; times++) assert.ok(rates.take('room', 'mallory', undefined, 0))
  assert.equal(rates.take('room', 'mallory', undefined, 0), false)
  assert.equal(rates.has('room', 'mallory', undefined, 0), false)
  assert.ok(rates.take('room', 'alice', undefined, 0))
  assert.ok(rates.take('another room', 'mallory', undefined, 0))
  assert.equal(rates.take('room', 'mallory', undefined, 1999), false)
  assert.ok(rates.take('room', 'mallory', undefined, 2000))
})

test('limits the people of a network, and does not count refusals', () => {
  const rates = new JoinRates()
  for (let at = 0; at < networkRate.burst; at++) assert.ok(rates.take('room', `guest ${at}`, '203.0.113.1', 0))
  for (let at = 0; at < 50; at++) assert.equal(rates.take('room', 'late', '203.0.113.1', 0), false)
  assert.ok(rates.take('room', 'late', '192.0.2.1', 0))
  for (let times = 1; times < identityRate.burst; times++) assert.ok(rates.take('room', 'late', '192.0.2.1', 0))
  assert.equal(rates.take('room', 'late', '192.0.2.1', 0), false)
  assert.ok(rates.take('room', 'another', '203.0.113.1', 100))
})
