import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '../../test/postgres/test-database.ts'
import { createPool } from '../platform/database/database.ts'
import { createEncryption } from '../platform/encryption.ts'
import { ProblemError } from '../platform/http/problem.ts'
import { createLog } from '../platform/log.ts'
import { createAttemptLimits } from './attempt-limits.ts'

const encryption = createEncryption(Buffer.alloc(32, 7))
const testDatabase = await createTestDatabase()
const pool = createPool({
  connection: testDatabase.connection,
  maxConnections: 4,
  statementTimeoutMs: 5_000,
  log: createLog({ level: 'silent' }),
})
after(async () => {
  await pool.end()
  await testDatabase.drop()
})

function isTooMany(error: unknown): boolean {
  assert.ok(error instanceof ProblemError)
  assert.equal(error.code, 'too_many_requests')
  const seconds = Number(error.retryAfterSeconds)
  assert.ok(seconds >= 1 && seconds <= 15 * 60, `Retry-After: ${seconds}`)
  return true
}

for (const [where, storage] of [
  ['in memory', {}],
  ['in PostgreSQL', { pool }],
] as const) {
  const options = { encryption, rateLimits: true, ...storage }

  test(`${where}: allows ten failures, and not the eleventh`, async () => {
    const limits = createAttemptLimits(options)
    for (let failure = 1; failure <= 10; failure++) {
      await limits.require('failuresFromElsewhere', 'alice')
      await limits.countOrRefuse('failuresFromElsewhere', 'alice')
    }
    await assert.rejects(limits.require('failuresFromElsewhere', 'alice'), isTooMany)
    await assert.rejects(limits.countOrRefuse('failuresFromElsewhere', 'alice'), isTooMany)
    for (const pause of [
      await limits.findPause('failuresFromElsewhere', 'alice'),
      await limits.count('failuresFromElsewhere', 'alice'),
    ]) {
      assert.ok(pause !== undefined && pause >= 1 && pause <= 15 * 60, `a pause of ${pause} s`)
    }
    assert.equal(await limits.findPause('failuresFromElsewhere', 'bob'), undefined)
    await limits.require('failuresFromElsewhere', 'bob')
    await limits.require('failuresFromKnownNetwork', 'alice')
  })

  test(`${where}: counts ten of fifty simultaneous failures`, async () => {
    const limits = createAttemptLimits(options)
    const tries = Array.from({ length: 50 }, () => limits.countOrRefuse('failuresFromElsewhere', 'carol'))
    const counted = (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled')
    assert.equal(counted.length, 10)
  })
}

test('two instances count together, without names and addresses in the table', async () => {
  const [one, other] = [1, 2].map(() => createAttemptLimits({ encryption, rateLimits: true, pool }))
  for (let sent = 1; sent <= 3; sent++) {
    await one?.countOrRefuse('mailsToAddress', 'dave@example.org')
    await other?.countOrRefuse('mailsToAddress', 'dave@example.org')
  }
  await assert.rejects(Promise.resolve(other?.countOrRefuse('mailsToAddress', 'dave@example.org')))
  const { rows } = await pool.query('select key from attempt_count')
  assert.ok(rows.length > 0)
  for (const { key } of rows) assert.doesNotMatch(key, /alice|dave|example/)
})

test('a process counts for itself while the database is unavailable', async () => {
  const away = createPool({
    connection: { host: '/nowhere' },
    maxConnections: 1,
    statementTimeoutMs: 1_000,
    log: createLog({ level: 'silent' }),
  })
  const limits = createAttemptLimits({ encryption, rateLimits: true, pool: away })
  for (let failure = 1; failure <= 10; failure++) await limits.countOrRefuse('failuresFromElsewhere', 'alice')
  await assert.rejects(limits.require('failuresFromElsewhere', 'alice'), isTooMany)
  await away.end()
})

test('counts nothing when switched off', async () => {
  const limits = createAttemptLimits({ encryption, rateLimits: false })
  for (let failure = 1; failure <= 100; failure++) await limits.countOrRefuse('failuresFromElsewhere', 'alice')
  await limits.require('failuresFromElsewhere', 'alice')
})
