import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPasswordViolation, normalPassword } from './password.ts'

const commonPasswords = new Set(['password', 'sunshine1', 'iloveyou'])

const cases: readonly (readonly [string, string, string | undefined])[] = [
  ['7 characters', 'abcxyz.', 'too_short'],
  ['8 characters', 'abcxyz.,', undefined],
  ['7 emoji', '🎉🎈🎊🎂🎁🍰🥳', 'too_short'],
  ['8 emoji', '🎉🎈🎊🎂🎁🍰🥳🍾', undefined],
  ['256 characters', `${'a'.repeat(255)}b`, undefined],
  ['257 characters', `${'a'.repeat(256)}b`, 'too_long'],
  ['one character that NFKC expands to eighteen', '\ufdfa', undefined],
  ['a passphrase', 'correct horse battery staple', undefined],
  ['the address', 'alice@example.org', 'same_as_email'],
  ['the address in capitals', 'ALICE@EXAMPLE.ORG', 'same_as_email'],
  ['the address and more', 'alice@example.org!', undefined],
  ['a common password', 'password', 'too_common'],
  ['a common password in capitals', 'SunShine1', 'too_common'],
  ['a common password in full-width letters', 'ｉｌｏｖｅｙｏｕ', 'too_common'],
  ['a common password and more', 'password of alice', undefined],
  ['one letter eight times', 'aaaaaaaa', 'too_common'],
  ['8 spaces', ' '.repeat(8), 'too_common'],
  ['four digits twice', '12341234', 'too_common'],
  ['three letters, repeated, the last time in part', 'AbcAbcAb', 'too_common'],
  ['a word of five letters twice', 'tulip'.repeat(2), undefined],
  ['the alphabet', 'abcdefghij', 'too_common'],
  ['digits downwards', '87654321', 'too_common'],
  ['most of the alphabet', 'abcdefghik', undefined],
]
for (const [name, password, code] of cases) {
  test(`${name}: ${code ?? 'accepted'}`, () => {
    const context = { email: 'Alice@Example.org', commonPasswords }
    assert.equal(findPasswordViolation(password, context)?.code, code)
  })
}

test('a password typed with composed or combining characters has one normal form', () => {
  assert.equal(normalPassword('Zu\u0308rich-2030'), normalPassword('Z\u00fcrich-2030'))
  assert.equal(normalPassword('ｐａｓｓｗｏｒｄ'), 'password')
  assert.notEqual(normalPassword('Password'), normalPassword('password'))
})
