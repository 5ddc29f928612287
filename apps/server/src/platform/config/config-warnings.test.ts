import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configOf } from '../../../test/read-config.ts'
import { warningsOf } from './config-warnings.ts'

function warningsWith(environment: Record<string, string>): string[] {
  return warningsOf(configOf(environment))
}

test('warns of organisations by domain where addresses are not confirmed', () => {
  const tenants = { TENANTS: 'acme.example=Acme' }
  const [warning = '', ...others] = warningsWith(tenants)
  assert.match(warning, /^TENANTS .* EMAIL_VERIFICATION is off: .* Set EMAIL_VERIFICATION=required\.$/)
  assert.deepEqual(others, [])
  assert.deepEqual(warningsWith({ ...tenants, EMAIL_VERIFICATION: 'required' }), [])
  assert.deepEqual(warningsWith({ EMAIL_VERIFICATION: 'off' }), [])
})

test('warns of email that leaves this machine without required encryption, without its password', () => {
  const mail = (smtpUrl: string, more: Record<string, string> = {}) =>
    warningsWith({ SMTP_URL: smtpUrl, MAIL_FROM: 'parley@example.org', ...more })
  const [warning = '', ...others] = mail('smtp://parley:hush@mail.example.org:587')
  assert.match(warning, /^SMTP_URL .* mail to mail\.example\.org .* Set SMTP_TLS=required/)
  assert.doesNotMatch(warning, /hush/)
  assert.deepEqual(others, [])
  for (const host of ['localhosts', '10.0.0.5', '128.0.0.1', '[::2]', '127.0.0.1.example.org']) {
    assert.equal(mail(`smtp://${host}`).length, 1, host)
  }
  for (const host of ['localhost', 'LOCALHOST:25', '127.0.0.1', '127.8.9.1:2525', '[::1]:25']) {
    assert.deepEqual(mail(`smtp://${host}`), [], host)
  }
  assert.deepEqual(mail('smtps://mail.example.org'), [])
  assert.deepEqual(mail('smtp://mail.example.org', { SMTP_TLS: 'required' }), [])
  assert.deepEqual(mail('smtp://mail.example.org?requireTLS=true'), [])
  assert.equal(mail('smtp://mail.example.org?requireTLS=false').length, 1)
})

test('warns of a LiveKit address to which browsers cannot connect from our pages', () => {
  const livekit = { LIVEKIT_API_KEY: 'parley', LIVEKIT_API_SECRET: 'hush' }
  const [base, plain] = ['https://meet.example.org', 'ws://livekit.example.org']
  const [warning = '', ...others] = warningsWith({ ...livekit, BASE_URL: base, LIVEKIT_URL: plain })
  assert.match(warning, /^LIVEKIT_URL .* wss:\.$/)
  assert.deepEqual(others, [])
  assert.deepEqual(warningsWith({ ...livekit, BASE_URL: base, LIVEKIT_URL: 'wss://livekit.example.org' }), [])
  assert.deepEqual(warningsWith({ ...livekit, LIVEKIT_URL: plain }), [])
})
