import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMailFrom } from '../platform/config/config-values.ts'
import { senderOf } from './sender.ts'

const rows = [
  ['parley@example.org', '', 'parley@example.org'],
  ['<parley@example.org>', '', 'parley@example.org'],
  ['Parley <parley@example.org>', 'Parley', 'parley@example.org'],
  ['"Acme, Inc." <parley@example.org>', 'Acme, Inc.', 'parley@example.org'],
  ['Büro<parley@example.org>', 'Büro', 'parley@example.org'],
] as const

for (const [text, name, address] of rows) {
  test(`MAIL_FROM=${text} is ${address}, called ${JSON.stringify(name)}`, () => {
    assert.equal(parseMailFrom(text), text)
    assert.deepEqual(senderOf(text), { name, address })
  })
}
