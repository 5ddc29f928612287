import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findGuestNameViolation, guestNameOf, maxGuestNameLength, readMailbox, writeMailbox } from './mailbox.ts'

const bob = 'bob@example.org'

for (const [text, address, name] of [
  [bob, bob, ''],
  [`Bob Baker <${bob}>`, bob, 'Bob Baker'],
  [`  Bob Baker   < ${bob} > `, bob, 'Bob Baker'],
  [`<${bob}>`, bob, ''],
  [`"Baker, Bob" <${bob}>`, bob, 'Baker, Bob'],
  [`"Bob \\"the\\" Baker" <${bob}>`, bob, 'Bob "the" Baker'],
  [`Bob <b> Baker <${bob}>`, bob, 'Bob <b> Baker'],
  [`राम 李 <${bob}>`, bob, 'राम 李'],
  ['Bob Baker', 'Bob Baker', ''],
  ['', '', ''],
] as const) {
  test(`reads ${JSON.stringify(text)}`, () => assert.deepEqual(readMailbox(text), { address, name }))
}

test('what is written is read again', () => {
  for (const name of [
    '',
    'Bob Baker',
    'Baker, Bob',
    'Bob "the" Baker',
    'a\\b',
    'Bob <b> Baker',
    'Zoë O’Hara-Lee',
    '王; 李',
  ])
    assert.deepEqual(readMailbox(writeMailbox({ address: bob, name })), { address: bob, name }, name)
  assert.equal(writeMailbox({ address: bob, name: 'Bob Baker' }), `Bob Baker <${bob}>`)
})

for (const [name, code] of [
  ['Bob Baker', undefined],
  ['Dr. J.Smith, Jr. (Example Inc.)', undefined],
  ['محمد', undefined],
  ['x'.repeat(maxGuestNameLength), undefined],
  ['x'.repeat(maxGuestNameLength + 1), 'too_long'],
  ['Bob\nBcc: all', 'control_character'],
  ['Bob\u202eBaker', 'control_character'],
  ['Bob\u2028Baker', 'control_character'],
  ['ceo@example.org', 'not_a_name'],
  ['The boss ceo＠example.org', 'not_a_name'],
  ['ceo\u200b@\u200bexample.org', 'not_a_name'],
  ['https://bank.example', 'not_a_name'],
  ['www.bank.example', 'not_a_name'],
  ['Sign in at bank.example/login', 'not_a_name'],
] as const) {
  test(`${JSON.stringify(name.slice(0, 40))} is ${code ?? 'a name'}`, () =>
    assert.equal(findGuestNameViolation(name)?.code, code))
}

for (const [name, kept] of [
  ['  Bob   Baker ', 'Bob Baker'],
  ['\u2067Bob\u2069', 'Bob'],
  ['Bob\u202b', 'Bob'],
  ['\u200b', ''],
  ['\u3164 \u2060', ''],
  ['می\u200cرا', 'می\u200cرا'],
  ['👩\u200d🔧', '👩\u200d🔧'],
] as const) {
  test(`keeps ${JSON.stringify(name)} as ${JSON.stringify(kept)}`, () => assert.equal(guestNameOf(name), kept))
}
