import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readExpiry } from './read-expiry.ts'

const now = new Date('2026-11-23T09:00:00Z')
const cases: readonly (readonly [string, string | null | undefined, Date | null | string])[] = [
  ['nothing sent', undefined, null],
  ['null', null, null],
  ['the next second', '2026-11-23T09:00:01Z', new Date('2026-11-23T09:00:01Z')],
  ['the year 9999', '9999-12-31T23:59:59Z', new Date('9999-12-31T23:59:59Z')],
  ['now', '2026-11-23T09:00:00Z', '/expiresOn in_the_past'],
  ['yesterday', '2026-11-22T09:00:00Z', '/expiresOn in_the_past'],
  ['a date alone', '2026-11-24', '/expiresOn bad_format'],
  ['an empty text', '', '/expiresOn bad_format'],
]
for (const [name, sent, expected] of cases) {
  test(`expiry: ${name}`, () => {
    const { value, violations } = readExpiry(sent, now)
    assert.deepEqual(violations ? violations.map(({ path, code }) => `${path} ${code}`).join() : value, expected)
  })
}
