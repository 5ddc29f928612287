import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findAppNameViolation, findUnchangedAppNameViolation } from './app-name.ts'

const cases = [
  ['', 'too_short'],
  ['ab', 'too_short'],
  ['  ab  ', 'too_short'],
  ['abc', undefined],
  ['a'.repeat(50), undefined],
  ['a'.repeat(51), 'too_long'],
  [`${'🙂'.repeat(49)}a`, undefined],
  ['Röntgen-Kalender', undefined],
  ['会議室', undefined],
  ['App\n1', 'control_character'],
  ['App\u0000', 'control_character'],
  ['App \u202eorcim', 'control_character'],
  ['...', 'no_letter'],
  ['★★★★', 'no_letter'],
  ['\u200b\u200b\u200b', 'hidden'],
  ['Рarley', 'mixed_scripts'],
  ['Parley', 'reserved_name'],
  ['P A R L E Y!', 'reserved_name'],
  ['Pаr1ey'.replace('а', 'a'), 'reserved_name'],
  ['ᴘᴀʀʟᴇʏ', 'reserved_name'],
  ['ꓑꓮꓣꓡꓰꓬ', 'reserved_name'],
  ['Parley Helper', undefined],
  ['Initech', 'reserved_name'],
  ['INlTECH', 'reserved_name'],
  ['Initech Planner', undefined],
] as const
for (const [name, code] of cases) {
  test(`${JSON.stringify(name)} is ${code ?? 'a valid name'}`, () =>
    assert.equal(findAppNameViolation(name, ['Initech'])?.code, code))
}

test('an app keeps a name that newer rules refuse, but no text with control characters', () => {
  for (const name of ['Рarley', 'Calendly\u200b Sync', '\u202bABC', '𐌀𐌁𐌂']) {
    assert.notEqual(findAppNameViolation(name), undefined)
    assert.equal(findUnchangedAppNameViolation(name), undefined)
  }
  assert.equal(findUnchangedAppNameViolation('App\n1')?.code, 'control_character')
  assert.equal(findUnchangedAppNameViolation('ab')?.code, 'too_short')
})
