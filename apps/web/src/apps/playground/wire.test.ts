import assert from 'node:assert/strict'
import { test } from 'node:test'
import { basicOf, form, maskSecrets, writeAnswer } from './wire.ts'

test('masks every occurrence of a secret, longer secrets first', () => {
  const secret = 'ps_0123456789'
  const basic = basicOf('test_app', secret)
  const { body = '' } = form({ grant_type: 'refresh_token', refresh_token: 'ort_abcdef' })
  const text = `authorization: ${basic}\n\n${body}\n${secret}`
  const covered = maskSecrets(text, [secret, basic, 'ort_abcdef', ''])
  for (const one of [secret, basic, 'ort_abcdef']) assert.ok(!covered.includes(one), one)
  assert.match(covered, /refresh_token=ort_•+/)
  assert.equal(maskSecrets('nothing to hide', ['ort_abcdef']), 'nothing to hide')
})

test('shows a response with its relevant headers and indented JSON', () => {
  const headers = [
    ['content-type', 'application/json'],
    ['x-frame-options', 'DENY'],
  ] as const
  assert.equal(
    writeAnswer({ status: 400, headers, body: '{"error":"invalid_grant"}' }),
    'HTTP/1.1 400\ncontent-type: application/json\n\n{\n  "error": "invalid_grant"\n}',
  )
  assert.equal(writeAnswer({ status: 204, headers: [], body: '' }), 'HTTP/1.1 204\n\n')
})
