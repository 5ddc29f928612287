import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './config.ts'
import { defaultRetention, retentionCutoff } from './config-retention.ts'

const read = (environment: Record<string, string>) => {
  const outcome = readConfig(environment)
  return outcome.kind === 'read' ? outcome.config.retention : outcome.problems
}

test('keeps records for the default time, or as long as the operator says', () => {
  assert.deepEqual(read({}), defaultRetention)
  const given = { RETAIN_HISTORY_DAYS: '1', RETAIN_MAIL_RECORDS_DAYS: '7', RETAIN_AUDIT_LOG_DAYS: '36500' }
  assert.deepEqual(read(given), { ...defaultRetention, historyDays: 1, mailRecordDays: 7, auditLogDays: 36_500 })
  assert.deepEqual(read({ RETAIN_HISTORY_DAYS: '0', RETAIN_AUDIT_LOG_DAYS: '0' }), defaultRetention)
})

test('refuses harmful numbers of days, and values that are no number', () => {
  for (const [name, value] of [
    ...['-1', '1.5', '1y', '36501'].map((value) => ['RETAIN_HISTORY_DAYS', value] as const),
    ...(['0', '6'] as const).map((value) => ['RETAIN_MAIL_RECORDS_DAYS', value] as const),
    ['RETAIN_APP_EVENTS_DAYS', '0'],
    ['RETAIN_SIGN_INS_DAYS', '0'],
    ['RETAIN_AUDIT_LOG_DAYS', '29'],
  ] as const) {
    const problems = read({ [name]: value })
    assert.ok(Array.isArray(problems) && problems.length === 1 && problems[0]?.startsWith(name), `${name}=${value}`)
  }
})

test('0 days keeps records for good', () => {
  const now = new Date('2030-01-11T12:00:00Z')
  assert.equal(retentionCutoff(now, 0), undefined)
  assert.deepEqual(retentionCutoff(now, 10), new Date('2030-01-01T12:00:00Z'))
})
