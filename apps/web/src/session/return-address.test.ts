import assert from 'node:assert/strict'
import { test } from 'node:test'
import { returnAddress } from './return-address.ts'

const origin = 'https://meet.example.org'

test('accepts a path of our own with its query and fragment', () => {
  assert.equal(returnAddress('/add/123#pin=4', origin), '/add/123#pin=4')
  assert.equal(returnAddress('/meetings?past=true', origin), '/meetings?past=true')
})

test('refuses addresses of other origins', () => {
  const others = ['https://evil.example', '//evil.example', '/\\evil.example', '/\t/evil.example', '/..//evil.example']
  for (const address of [...others, 'javascript:alert(1)', 'meetings', '', undefined, 7]) {
    assert.equal(returnAddress(address, origin), undefined, String(address))
  }
})
