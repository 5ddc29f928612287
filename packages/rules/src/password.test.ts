import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalPassword, passwordFault } from './password.ts'

const cases: readonly (readonly [string, string, string | undefined])[] = [
  ['7 characters', 'a'.repeat(7), 'too_short'],
  ['8 characters', 'a'.repeat(8), undefined],
  ['8 spaces', ' '.repeat(8), undefined],
  ['7 emoji', '🎉'.repeat(7), 'too_short'],
  ['8 emoji', '🎉'.repeat(8), undefined],
  ['256 characters', 'a'.repeat(256), undefined],
  ['257 characters', 'a'.repeat(257), 'too_long'],
  ['one character that is written out as eighteen', '\ufdfa', undefined],
  ['a passphrase', 'correct horse battery staple', undefined],
  ['the address', 'alice@example.org', 'same_as_email'],
  ['the address in capitals', 'ALICE@EXAMPLE.ORG', 'same_as_email'],
  ['the address and more', 'alice@example.org!', undefined],
]
for (const [name, password, code] of cases) {
  test(`${name}: ${code ?? 'taken'}`, () => assert.equal(passwordFault(password, 'Alice@Example.org')?.code, code))
}

test('one password from two keyboards is one password', () => {
  assert.equal(normalPassword('Zu\u0308rich-2030'), normalPassword('Z\u00fcrich-2030'))
  assert.equal(normalPassword('ｐａｓｓｗｏｒｄ'), 'password')
  assert.notEqual(normalPassword('Password'), normalPassword('password'))
})
