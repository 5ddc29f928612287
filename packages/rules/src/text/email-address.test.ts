import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../../test/helpers/random-characters.ts'
import { addressDomain, addressKey, isEmailAddress } from './email-address.ts'

const longest = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`

const cases: readonly (readonly [string, boolean])[] = [
  ['alice@example.org', true],
  ['Alice.Liddell+meetings@Sub.Example.org', true],
  ["o'neill_{tag}#1@example.org", true],
  ['alice@localhost', true],
  ['alice@xn--bcher-kva.example', true],
  ['bücher@bücher.example', true],
  ['用户@例子.广告', true],
  ['1@1.example', true],
  [longest, true],
  [`${longest}d`, false],
  [`${'a'.repeat(64)}@example.org`, true],
  [`${'a'.repeat(65)}@example.org`, false],
  [`alice@${'b'.repeat(63)}.org`, true],
  [`alice@${'b'.repeat(64)}.org`, false],
  ['', false],
  ['@', false],
  ['alice', false],
  ['@example.org', false],
  ['alice@', false],
  ['alice@@example.org', false],
  ['alice@bob@example.org', false],
  ['.alice@example.org', false],
  ['alice.@example.org', false],
  ['al..ice@example.org', false],
  ['alice@.example.org', false],
  ['alice@example..org', false],
  ['alice@example.org.', false],
  ['alice@-example.org', false],
  ['alice@example-.org', false],
  ['alice@[127.0.0.1]', false],
  ['"al ice"@example.org', false],
  ['alice(comment)@example.org', false],
  ['Alice <alice@example.org>', false],
  ['alice@example.org,bob@example.org', false],
  ['alice@example.org;bob@example.org', false],
  [' alice@example.org', false],
  ['alice@example.org ', false],
  ['ali ce@example.org', false],
  ['alice@example.org\r\nBcc: mallory@example.org', false],
  ['alice@example.org\n', false],
  ['alice\t@example.org', false],
  ['ali\0ce@example.org', false],
  ['ali\u0085ce@example.org', false],
  ['ali\u200bce@example.org', false],
  ['ali\u202ece@example.org', false],
  ['ali\u3164ce@example.org', false],
  ['alice@exam\u00adple.org', false],
  ['alice@exam_ple.org', false],
]
for (const [text, taken] of cases) {
  test(`${JSON.stringify(text)} is ${taken ? '' : 'not '}an address`, () => assert.equal(isEmailAddress(text), taken))
}

test('checks hostile input in linear time', () => {
  for (const text of ['a.'.repeat(500_000), `a@${'b-'.repeat(500_000)}`, '@'.repeat(1_000_000)]) {
    assert.equal(isEmailAddress(text), false)
  }
})

test('refuses characters that end a header line or begin another recipient', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 20 }), (text) => {
      const address = `a${text}@example.org`
      if (isEmailAddress(address)) assert.doesNotMatch(address, /[\p{C}\s<>,;:"()[\]\\]/u)
    }),
    { numRuns: 2_000 },
  )
})

test('spellings of one address have the same key', () => {
  assert.equal(addressKey('Alice@Example.ORG'), 'alice@example.org')
  assert.equal(addressKey('ju\u0308rgen@example.org'), addressKey('J\u00dcRGEN@example.org'))
  assert.notEqual(addressKey('alice@example.org'), addressKey('alice+x@example.org'))
})

test('the key of a key is the key itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) =>
      assert.equal(addressKey(addressKey(text)), addressKey(text)),
    ),
  )
})

test('the domain of an address is the part after the @', () => {
  assert.equal(addressDomain('Alice@Example.ORG'), 'example.org')
})
