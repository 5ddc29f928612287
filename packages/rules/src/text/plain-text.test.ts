import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPlainTextViolation, lengthInCharacters, type PlainTextLimits } from './plain-text.ts'

const topic: PlainTextLimits = { minLength: 1, maxLength: 250 }
const description: PlainTextLimits = { maxLength: 10_000, lines: true }

const cases: readonly (readonly [string, string, PlainTextLimits, string | undefined])[] = [
  ['a topic', 'Weekly stand-up', topic, undefined],
  ['nothing', '', topic, 'too_short'],
  ['spaces only', ' \u3000 ', topic, 'too_short'],
  ['one character', 'a', topic, undefined],
  ['250 characters', 'a'.repeat(250), topic, undefined],
  ['251 characters', 'a'.repeat(251), topic, 'too_long'],
  ['250 characters between spaces', `  ${'a'.repeat(250)}  `, topic, undefined],
  ['250 characters among 350 spaces', 'a'.repeat(250).padStart(600), topic, undefined],
  ['250 characters among 351 spaces', 'a'.repeat(250).padStart(601), topic, 'too_long'],
  ['one character before 600 spaces', 'a'.padEnd(601), topic, 'too_long'],
  ['spaces only, 600 of them', ' '.repeat(600), topic, 'too_short'],
  ['a megabyte of spaces', ' '.repeat(1_000_000), topic, 'too_long'],
  ['250 emoji among 350 spaces', '🎉'.repeat(250).padEnd(850), topic, undefined],
  ['250 emoji among 351 spaces', '🎉'.repeat(250).padEnd(851), topic, 'too_long'],
  ['250 emoji', '🎉'.repeat(250), topic, undefined],
  ['251 emoji', '🎉'.repeat(251), topic, 'too_long'],
  ['a tab in a topic', 'a\tb', topic, 'control_character'],
  ['a line end in a topic', 'a\nb', topic, 'control_character'],
  ['a line end around a topic', 'a\n', topic, 'control_character'],
  ['a line separator in a topic', 'a\u2028b', topic, 'control_character'],
  ['a paragraph separator in a topic', 'a\u2029b', topic, 'control_character'],
  ['a NUL', 'a\0b', topic, 'control_character'],
  ['the last of C0', 'a\u001fb', topic, 'control_character'],
  ['DEL', 'a\u007fb', topic, 'control_character'],
  ['the last of C1', 'a\u009fb', topic, 'control_character'],
  ['a no-break space, just past C1', 'a\u00a0b', topic, undefined],
  ['a right-to-left override', 'invoice\u202efdp.exe', topic, 'control_character'],
  ['Hebrew with its marks and isolates', '\u2067שלום\u2069\u200f!', topic, undefined],
  ['an empty description', '', description, undefined],
  ['lines and tabs', 'a\n\tb\r\nc', description, undefined],
  ['a carriage return alone', 'a\rb', description, 'control_character'],
  ['a carriage return at the end', 'a\r', description, 'control_character'],
  ['a vertical tab', 'a\u000bb', description, 'control_character'],
  ['an override in lines', 'a\u202db', description, 'control_character'],
  ['10,000 characters', 'a'.repeat(10_000), description, undefined],
  ['10,001 characters', 'a'.repeat(10_001), description, 'too_long'],
]
for (const [name, text, limits, code] of cases) {
  test(`${name}: ${code ?? 'accepted'}`, () => assert.equal(findPlainTextViolation(text, limits)?.code, code))
}

test('the message about a text that is too long with its spaces states both limits', () => {
  const violation = findPlainTextViolation('a'.padEnd(601), topic)
  assert.equal(violation?.message, 'must have at most 250 characters, and 600 with the spaces around them')
})

test('the message completes a sentence that begins with the name of the field', () => {
  assert.equal(findPlainTextViolation('', { minLength: 8, maxLength: 256 })?.message, 'must have at least 8 characters')
  assert.equal(findPlainTextViolation('', topic)?.message, 'must not be empty')
})

test('half a surrogate pair counts as one character', () => {
  assert.equal(lengthInCharacters('a\ud83cb'), 3)
  assert.equal(lengthInCharacters('🎉'), 1)
})
