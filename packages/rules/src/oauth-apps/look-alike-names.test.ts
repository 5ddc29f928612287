import assert from 'node:assert/strict'
import { test } from 'node:test'
import { likenessOf, nameKey, nameKeys } from './look-alike-names.ts'

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
  'ᴀᴄᴍᴇ ᴄᴀʟᴇɴᴅᴀʀ', // small capitals
  'ꓮꓚꓟꓰ ꓚꓮꓡꓰꓠꓓꓮꓣ', // Lisu
  'Аϲme Ϲalendar', // Greek lunate sigma, small and capital
  'Асме Ⅽalenԁar', // Roman numeral, Komi de
  'ᎪᏟmᎬ ᏟᎪᏞᎬnᎠᎪᎡ', // Cherokee
  'Acmе Саlеոdаr', // Armenian vo
  'ⲁcⲙⲉ calⲉⲛdar', // Coptic
]
for (const name of lookAlikes) {
  test(`${JSON.stringify(name)} is mistaken for ${acme}`, () => assert.equal(nameKey(name), nameKey(acme)))
}

const pairs = [
  ['Zoom', 'Z00m'],
  ['Slack', '5lack'],
  ['Wave', 'VVave'],
  ['Straße', 'Strasse'],
  ['Łódź', 'Lodz'],
  ['Kino', 'Кіno'],
  ['Mix', 'Міх'],
  ['Calendly', 'Ϲalendly'], // its compatibility form is another letter
  ['Oslo', 'Օѕlօ'], // Armenian, Cyrillic
  ['Cool', 'Сооӏ'],
] as const
for (const [one, other] of pairs) {
  test(`${one} and ${other} are the same name`, () => assert.equal(nameKey(one), nameKey(other)))
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
  test(`${one} and ${other} are different names`, () => assert.notEqual(nameKey(one), nameKey(other)))
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
  ['ᴘᴀʀʟᴇʏ', [], 'ours'],
  ['ꓑꓮꓣꓡꓰꓬ', [], 'ours'],
  ['ᏢᎪᎡᏞᎬᎩ', [], 'ours'],
  ['Քarley Verified', [], 'ours'],
  // Capital Eta and Nu look like H and N, their small letters like n and v: each is compared both ways.
  ['ΗΕLLΟ', ['Hello'], 'same'],
  ['Νοvα', ['Nova'], 'same'],
  ['ΗΜΕΡΑ', ['ημερα'], 'same'],
  ['ГРУППА', ['группа'], 'same'],
] as const
for (const [name, others, likeness] of likenesses) {
  test(`the likeness of ${name} to ${others.join(', ') || 'no other name'}: ${likeness}`, () => {
    assert.equal(likenessOf(nameKeys(name), others.flatMap(nameKeys)), likeness)
  })
}

test('a name has a key for each way to read it, and folding a key again does not change it', () => {
  for (const name of ['ГРУППА', 'Ημέρα', 'Acme Calendar', '会議室', 'कि ऐप', 'تقويم', 'ᏢᎪᎡᏞᎬᎩ']) {
    const keys = nameKeys(name)
    assert.ok(keys.length >= 1 && keys.length <= 3)
    for (const key of keys) assert.equal(nameKey(key), key, name)
  }
})
