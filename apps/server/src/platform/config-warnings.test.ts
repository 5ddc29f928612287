import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './config.ts'
import { warningsOf } from './config-warnings.ts'

function warningsWith(environment: Record<string, string>): string[] {
  const read = readConfig(environment)
  assert.ok(read.kind === 'read')
  return warningsOf(read.config)
}

test('organisations by domain are warned of where addresses are not confirmed', () => {
  const tenants = { TENANTS: 'acme.example=Acme' }
  const [warning = '', ...others] = warningsWith(tenants)
  assert.match(warning, /^TENANTS .* EMAIL_VERIFICATION is off: .* Set EMAIL_VERIFICATION=required\.$/)
  assert.deepEqual(others, [])
  assert.deepEqual(warningsWith({ ...tenants, EMAIL_VERIFICATION: 'required' }), [])
  assert.deepEqual(warningsWith({ EMAIL_VERIFICATION: 'off' }), [])
})
