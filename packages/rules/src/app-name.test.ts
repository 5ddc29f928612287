import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appNameFault, likenessOf, nameKey } from './app-name.ts'

const faults = [
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
  ['\u200b\u200b\u200b', 'no_letter'],
] as const
for (const [name, code] of faults) {
  test(`${JSON.stringify(name)} is ${code ?? 'a name'}`, () => assert.equal(appNameFault(name)?.code, code))
}

const acme = 'Acme Calendar'
const lookAlikes = [
  'acme calendar',
  'ACME CALENDAR',
  'AcmeCalendar',
  'Acme-Calendar',
  'Acme.Calendar!',
  'Acme  Calendar',
  '“Acme” Calendar',
  'Ácmé Cälendar',
  'A\u0301cme Calendar',
  'Αcme Calendar', // Greek capital alpha
  'Аcme Calendar', // Cyrillic capital a
  'Асmе Саlеndаr', // Cyrillic a, es, ie
  'Ａｃｍｅ Ｃａｌｅｎｄａｒ', // full width
  '𝐀𝐜𝐦𝐞 𝐂𝐚𝐥𝐞𝐧𝐝𝐚𝐫', // mathematical bold
  'Ⓐⓒⓜⓔ Calendar', // circled
  'Acme Ca1endar',
  'Acme CaIendar',
  'Acme\u200bCalendar', // zero width space
  'Acme\u00adCalendar', // soft hyphen
  'Acme\ufe0f Calendar', // variation selector
  'Acrne Calendar',
  '@cme Calendar',
]
for (const name of lookAlikes) {
  test(`${JSON.stringify(name)} cannot be told from ${acme}`, () => assert.equal(nameKey(name), nameKey(acme)))
}

const pairs = [
  ['Zoom', 'Z00m'],
  ['Slack', '5lack'],
  ['Wave', 'VVave'],
  ['Straße', 'Strasse'],
  ['Łódź', 'Lodz'],
  ['Kino', 'Кіno'],
  ['Mix', 'Міх'],
] as const
for (const [one, other] of pairs) {
  test(`${one} and ${other} are one name`, () => assert.equal(nameKey(one), nameKey(other)))
}

const apart = [
  ['App 1', 'App 2'],
  ['App 3', 'App 8'],
  ['कि ऐप', 'कु ऐप'],
  ['会議室', '会議中'],
  ['Acme', 'Acne'],
  ['تقويم', 'تقويمي'],
] as const
for (const [one, other] of apart) {
  test(`${one} and ${other} are two names`, () => assert.notEqual(nameKey(one), nameKey(other)))
}

const likenesses = [
  [acme, [], 'none'],
  [acme, ['Globex'], 'none'],
  [acme, ['Globex', 'ACME calendar'], 'same'],
  [acme, ['Acme Calendars'], 'near'],
  ['Acme Calendars', [acme], 'near'],
  [acme, ['Acme Colendar'], 'near'],
  [acme, ['cme Calendar'], 'near'],
  [acme, ['Acme Colender'], 'none'],
  [acme, ['Acme Calendarium'], 'none'],
  ['Task', ['Tusk'], 'near'],
  ['Tag', ['Bag'], 'none'],
  ['Parley Sync', [], 'ours'],
  ['Раrlеу Helper', [], 'ours'],
  ['P a r l e y', [], 'ours'],
  ['Official Calendar', [], 'ours'],
  ['0fficial Calendar', [], 'ours'],
  ['Party', [], 'none'],
] as const
for (const [name, others, likeness] of likenesses) {
  test(`${name} beside ${others.join(', ') || 'none'}: ${likeness}`, () => {
    assert.equal(likenessOf(nameKey(name), others.map(nameKey)), likeness)
  })
}
