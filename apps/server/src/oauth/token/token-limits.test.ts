import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '../../../test/postgres/test-database.ts'
import { createPool } from '../../platform/database/database.ts'
import { createEncryption } from '../../platform/encryption.ts'
import { ProblemError } from '../../platform/http/problem.ts'
import { createLog } from '../../platform/log.ts'
import { createTokenLimits } from './token-limits.ts'

const encryption = createEncryption(Buffer.alloc(32, 7))
const slowDown = (error: unknown) =>
  error instanceof ProblemError && error.code === 'too_many_requests' && Number(error.retryAfterSeconds) >= 1

const { connection, drop } = await createTestDatabase()
const log = createLog({ level: 'silent' })
const pool = createPool({ connection, maxConnections: 2, statementTimeoutMs: 5_000, log })
after(async () => {
  await pool.end()
  await drop()
})

test('limits a client from one network to fifty failures, and delays no other', async () => {
  const limits = createTokenLimits({ encryption, rateLimits: true })
  for (let tries = 0; tries < 50; tries++) await limits.countFailure('planner', '192.0.2.1')
  await assert.rejects(limits.countFailure('planner', '192.0.2.1'), slowDown)
  await limits.countFailure('planner', '192.0.2.2')
  await limits.countFailure('rival', '192.0.2.1')
})

test('limits a network to a thousand failures, whatever client it names', async () => {
  const limits = createTokenLimits({ encryption, rateLimits: true })
  for (let tries = 0; tries < 1_000; tries++) await limits.countFailure(`client ${tries}`, '192.0.2.1')
  await assert.rejects(limits.countFailure('another', '192.0.2.1'), slowDown)
  await limits.countFailure('another', '192.0.2.2')
})

test('failures delay no success, neither of their own network nor of their own client', async () => {
  const limits = createTokenLimits({ encryption, rateLimits: true })
  for (let tries = 0; tries < 50; tries++) await limits.countFailure('planner', '192.0.2.1')
  for (let tries = 0; tries < 950; tries++) await limits.countFailure(`client ${tries}`, '192.0.2.1')
  await limits.countSuccess('planner')
})

test('limits a client to six thousand successes a minute', async () => {
  const limits = createTokenLimits({ encryption, rateLimits: true })
  for (let tries = 0; tries < 6_000; tries++) await limits.countSuccess('planner')
  await assert.rejects(limits.countSuccess('planner'), slowDown)
  await limits.countSuccess('rival')
})

test('counts failures of instances that share a database together', async () => {
  const [one, other] = [0, 1].map(() => createTokenLimits({ encryption, rateLimits: true, pool }))
  assert.ok(one && other)
  for (let tries = 0; tries < 25; tries++) {
    await one.countFailure('planner', '192.0.2.1')
    await other.countFailure('planner', '192.0.2.1')
  }
  for (const limits of [one, other]) {
    await assert.rejects(limits.countFailure('planner', '192.0.2.1'), slowDown)
    await assert.rejects(limits.countFailure('planner', '192.0.2.1'), slowDown)
  }
  const { rows } = await pool.query('select key from attempt_count')
  assert.equal(rows.length, 2)
  assert.equal(JSON.stringify(rows).includes('192.0.2.1'), false)
})

test('counts nothing when the limits are off', async () => {
  const limits = createTokenLimits({ encryption, rateLimits: false })
  for (let tries = 0; tries < 100; tries++) await limits.countFailure('planner', '192.0.2.1')
})

test('limits a public client to six hundred requests a minute from one network, and nobody elsewhere', async () => {
  const limits = createTokenLimits({ encryption, rateLimits: true })
  for (let tries = 0; tries < 600; tries++) await limits.countPublic('planner', '192.0.2.1')
  await assert.rejects(limits.countPublic('planner', '192.0.2.1'), slowDown)
  await limits.countPublic('planner', '192.0.2.2')
  await limits.countPublic('rival', '192.0.2.1')
})
