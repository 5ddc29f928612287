import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../log.ts'
import { readDatabaseFailure } from './database-failure.ts'
import { createDatabaseFailureLog } from './database-failure-log.ts'

const errorOf = (code: string, more: object = {}) => Object.assign(new Error('said by PostgreSQL'), { code, ...more })

/** SQLSTATE, cause for a request, seconds until a retry, whether the connection is closed. */
const table: [string, string, number, boolean][] = [
  ['08000', 'away', 2, true],
  ['08006', 'away', 2, true],
  ['08P01', 'away', 2, true],
  ['57P01', 'away', 2, true],
  ['57P02', 'away', 2, true],
  ['57P03', 'away', 2, true],
  ['57P04', 'away', 2, true],
  ['57P05', 'away', 2, true],
  ['25006', 'read-only', 2, true],
  ['53000', 'out-of-resources', 10, false],
  ['53100', 'out-of-resources', 10, false],
  ['53200', 'out-of-resources', 10, false],
  ['53300', 'out-of-resources', 2, false],
  ['53400', 'out-of-resources', 10, false],
  ['58000', 'system-error', 10, false],
  ['58030', 'system-error', 10, false],
  ['58P01', 'system-error', 10, false],
  ['28000', 'access-refused', 10, true],
  ['28P01', 'access-refused', 10, true],
  ['3D000', 'access-refused', 10, true],
  ['57014', 'timeout', 2, false],
  ['55P03', 'timeout', 2, false],
  ['25P03', 'timeout', 2, true],
  ['25P04', 'timeout', 2, true],
  ['40001', 'conflict', 2, false],
  ['40P01', 'conflict', 2, false],
  ['26000', 'statement-lost', 2, true],
  ['42P05', 'statement-lost', 2, true],
  ['ECONNREFUSED', 'away', 2, true],
  ['ECONNRESET', 'away', 2, true],
  ['ENOTFOUND', 'away', 2, true],
]

for (const [code, cause, retryAfterSeconds, dropsConnection] of table) {
  test(`${code} is ${cause}`, () => {
    const ofSystemCall = code.startsWith('E') ? { syscall: 'read' } : {}
    assert.deepEqual(readDatabaseFailure(errorOf(code, ofSystemCall)), { cause, retryAfterSeconds, dropsConnection })
  })
}

test('a FATAL error ends its connection; a database that accepts none reports 55000', () => {
  const fatal = { severity: 'FATAL' }
  assert.equal(readDatabaseFailure(errorOf('53300', fatal))?.dropsConnection, true)
  assert.equal(readDatabaseFailure(errorOf('55000', fatal))?.cause, 'access-refused')
  assert.equal(readDatabaseFailure(errorOf('55000', { severity: 'ERROR' })), undefined)
})

test('neither a programming error nor an error of another system call is a failure of the database', () => {
  for (const code of ['23505', '42601', '42501', '22P02', '25P02', '0A000', 'XX000', 'EACCES', 'ENOENT', '5', '']) {
    assert.equal(readDatabaseFailure(errorOf(code)), undefined, code)
  }
  for (const thrown of [undefined, 'ECONNREFUSED', { code: '57P01' }, new Error('57P01')]) {
    assert.equal(readDatabaseFailure(thrown), undefined)
  }
  assert.equal(readDatabaseFailure(errorOf('ECONNRESET')), undefined, 'a client that hung up')
  assert.equal(readDatabaseFailure(errorOf('0A000', { routine: 'RevalidateCachedQuery' }))?.cause, 'conflict')
  assert.equal(readDatabaseFailure(new Error('outer', { cause: errorOf('57P01') }))?.cause, 'away')
})

test('logs one line a second for each cause, counts those between, and remembers it for 15 seconds', () => {
  const lines: { failure: string; unlogged: number; reason: string }[] = []
  const write = (line: string) => void lines.push(JSON.parse(line))
  let at = 0
  const failures = createDatabaseFailureLog(createLog({ level: 'info', destination: { write } }), { now: () => at })
  for (let request = 0; request < 1_000; request++) {
    at += 1
    assert.ok(failures.report(errorOf('57P01'), { requestId: 'r1' }))
    assert.ok(failures.report(errorOf('53100')))
  }
  assert.deepEqual(
    lines.map(({ failure, unlogged }) => [failure, unlogged]),
    [
      ['away', 0],
      ['out-of-resources', 0],
    ],
  )
  at += 1
  failures.report(errorOf('57P01'))
  assert.deepEqual([lines.length, lines[2]?.unlogged, lines[2]?.reason], [3, 999, '57P01: said by PostgreSQL'])
  assert.equal(failures.report(new Error('ours')), false)
  assert.equal(lines.length, 3)

  assert.deepEqual(failures.recentCauses(), ['away', 'out-of-resources'])
  at += 14_999
  assert.deepEqual(failures.recentCauses(), ['away'])
  at += 1
  assert.deepEqual(failures.recentCauses(), [])
})
