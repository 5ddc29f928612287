import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Parsed } from '@parley/rules/text/parsed'
import {
  commonPasswords,
  lastNameLimits,
  nameLimits,
  readEmail,
  readNewPassword,
  readPersonName,
  readPersonTimeZone,
  requireDifferentFromEmail,
} from './person-fields.ts'

const passphrase = 'correct horse battery staple'
const email = 'alice@example.org'
const name = (text: string) => readPersonName('/name', text, nameLimits)
const zone = (text: string) => readPersonTimeZone(text, new Map())

const read: readonly (readonly [string, Parsed<string>, string])[] = [
  ['an address, as it was sent', readEmail('Alice@Example.org'), 'Alice@Example.org'],
  ['a password', readNewPassword('/password', passphrase, email), passphrase],
  ['the address as a password, where the account is unknown', readNewPassword('/password', email, undefined), email],
  ['a name', name('Alice'), 'Alice'],
  ['no last name', readPersonName('/lname', '', lastNameLimits), ''],
  ['a zone, as it was sent', zone('IST'), 'IST'],
  ['no zone', zone(''), ''],
]
for (const [what, parsed, value] of read) {
  test(`person: ${what}`, () => assert.deepEqual(parsed, { value }))
}

const refused: readonly (readonly [string, Parsed<string>, string])[] = [
  ['no address', readEmail('alice'), '/email bad_format: email is not an email address.'],
  [
    'the address as a password',
    readNewPassword('/newPassword', 'ALICE@example.org', email),
    '/newPassword same_as_email: newPassword must not be the email address.',
  ],
  [
    'a common password',
    readNewPassword('/password', 'password1', email),
    '/password too_common: password must not be a common password or a simple pattern.',
  ],
  ['no name', name(''), '/name too_short: name must not be empty.'],
  [
    'an invisible name',
    name('\u200b'),
    '/name hidden: name must not hold characters that are not seen, or that turn the direction of writing.',
  ],
]
for (const [what, { violations }, expected] of refused) {
  test(`person: ${what} is refused`, () =>
    assert.deepEqual(
      violations?.map(({ path, code, message }) => `${path} ${code}: ${message}`),
      [expected],
    ))
}

test('refuses an unknown time zone and suggests a similar one', () => {
  const [violation] = zone('Europe/Berlim').violations ?? []
  assert.equal(violation?.path, '/timeZone')
  assert.match(violation?.message ?? '', /Did you mean Europe\/Berlin\?/)
})

test('compares a new password with the address of its account', () => {
  requireDifferentFromEmail(passphrase, email)
  assert.throws(() => requireDifferentFromEmail('Alice@example.org', email), {
    violations: [
      { path: '/newPassword', code: 'same_as_email', message: 'newPassword must not be the email address.' },
    ],
  })
})

test('the list holds the most common passwords, in lower case, and none below the minimum length', () => {
  assert.ok(commonPasswords.size > 10_000, `${commonPasswords.size}`)
  for (const common of ['password', 'password1', '12345678', 'qwertyuiop', 'iloveyou', 'changeme', 'p@ssw0rd']) {
    assert.ok(commonPasswords.has(common), common)
  }
  for (const fine of ['correct horse battery staple', 'tulip-8x']) assert.ok(!commonPasswords.has(fine), fine)
  for (const password of commonPasswords) {
    assert.equal(password, password.toLowerCase())
    assert.ok(password.length >= 8, password)
  }
})
