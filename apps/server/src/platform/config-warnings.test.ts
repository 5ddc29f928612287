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

test('a LiveKit that no browser would connect to from our pages is warned of', () => {
  const livekit = { LIVEKIT_API_KEY: 'parley', LIVEKIT_API_SECRET: 'hush' }
  const [base, plain] = ['https://meet.example.org', 'ws://livekit.example.org']
  const [warning = '', ...others] = warningsWith({ ...livekit, BASE_URL: base, LIVEKIT_URL: plain })
  assert.match(warning, /^LIVEKIT_URL .* wss:\.$/)
  assert.deepEqual(others, [])
  assert.deepEqual(warningsWith({ ...livekit, BASE_URL: base, LIVEKIT_URL: 'wss://livekit.example.org' }), [])
  assert.deepEqual(warningsWith({ ...livekit, LIVEKIT_URL: plain }), [])
})
