import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPersonNameViolation, findTrustedNameViolation } from './name-characters.ts'

const hiddenCharacters = {
  'zero width space': '\u200b',
  'word joiner': '\u2060',
  'combining grapheme joiner': '\u034f',
  'soft hyphen': '\u00ad',
  'empty Braille pattern': '\u2800',
  'Hangul filler': '\u3164',
  'half-width Hangul filler': '\uffa0',
  'Mongolian vowel separator': '\u180e',
  'invisible plus': '\u2064',
  'musical null notehead': '\u{1d159}',
  'a tag letter': '\u{e0041}',
  'Arabic letter mark': '\u061c',
  'left-to-right mark': '\u200e',
  'right-to-left mark': '\u200f',
  'left-to-right embedding': '\u202a',
  'right-to-left embedding': '\u202b',
  'end of an embedding': '\u202c',
  'left-to-right override': '\u202d',
  'right-to-left override': '\u202e',
  'left-to-right isolate': '\u2066',
  'right-to-left isolate': '\u2067',
  'first strong isolate': '\u2068',
  'end of an isolate': '\u2069',
  'interlinear annotation': '\ufff9',
  'zero width joiner between Latin letters': '\u200d',
  'zero width non-joiner between Latin letters': '\u200c',
  'private use': '\ue000',
  'an unassigned code point': '\u0378',
  'half of a surrogate pair': '\ud800',
}
for (const [what, character] of Object.entries(hiddenCharacters)) {
  test(`refuses an invisible character in names of apps and of persons: ${what}`, () => {
    assert.equal(findTrustedNameViolation(`Acme${character}Sync`)?.code, 'hidden')
    assert.equal(findPersonNameViolation(`Acme${character}Sync`)?.code, 'hidden')
  })
}

const joined = ['می\u200cخواهم', 'क्\u200dष', 'ক\u200dষ', 'ශ්\u200dරී', 'App می\u200cخواهم']
for (const name of joined) {
  test(`${JSON.stringify(name)} keeps its joiner`, () => {
    assert.equal(findTrustedNameViolation(name), undefined)
    assert.equal(findPersonNameViolation(name), undefined)
  })
}

const wronglyJoined = ['\u200cمی', 'می\u200c', 'می\u200c\u200cخ', 'می \u200cخ', 'म\u200cم', 'م\u200da', 'क\u200d1']
for (const name of wronglyJoined) {
  test(`${JSON.stringify(name)} is refused for a joiner that joins nothing`, () => {
    assert.equal(findTrustedNameViolation(name)?.code, 'hidden')
    assert.equal(findPersonNameViolation(name)?.code, 'hidden')
  })
}

test('accepts emoji of several code points in names of persons, and not of apps', () => {
  for (const name of ['Sam ❤️', 'Ada 👩‍💻', 'Kim 👋🏽', 'Lea 🏳️‍🌈']) {
    assert.equal(findPersonNameViolation(name), undefined, name)
  }
  for (const name of ['Sam ❤️', 'Ada 👩‍💻', 'Lea 🏳️‍🌈'])
    assert.equal(findTrustedNameViolation(name)?.code, 'hidden', name)
  for (const name of ['App 🙂', 'App 👋🏽', '🚀🚀🚀']) assert.equal(findTrustedNameViolation(name), undefined, name)
  assert.equal(findPersonNameViolation('a\ufe0fb')?.code, 'hidden')
})

const oneScriptAWord = [
  'Acme Calendar',
  'Röntgen',
  'Việt Nam',
  'Яндекс Calendar',
  'תקציב Parley',
  'α-Team',
  'О’Хара & Sons',
  '東京Calendar',
  'カレンダーApp',
  'ひらがなカタカナ漢字',
  '한국어App',
  '한국漢字',
  '注音ㄅㄆㄇ',
  'कैलेंडर',
  'ปฏิทิน',
  'カーﾄﾞ',
  'Room 101',
  'क्षेत्र३',
  'Кафе24',
  'Acme™',
  'Ａｃｍｅ',
  'ꓑꓮꓣꓡꓰꓬ',
  'ᏣᎳᎩ',
  'ᴘᴀʀʟᴇʏ',
  'Z\u0301\u0301\u0301\u0301',
]
for (const name of oneScriptAWord) {
  test(`accepts ${name} as an app’s name`, () => assert.equal(findTrustedNameViolation(name), undefined))
}

const mixed = [
  'Pаrley',
  'Раrley',
  'Ϲalendly',
  'Асme',
  'Gооgle',
  'Ꮲarley',
  'ꓑarley',
  'Օslo',
  'カ한',
  '한ㄅ',
  'яr',
  'ابc',
]
for (const name of mixed) {
  test(`refuses ${name}, which mixes scripts in a word, for apps only`, () => {
    assert.equal(findTrustedNameViolation(name)?.code, 'mixed_scripts')
    assert.equal(findPersonNameViolation(name), undefined)
  })
}

const unused = ['𐌀𐌁𐌂', 'ⲢⲀⲢ', '𐐀𐐁', '𐎀𐎁', 'Z\u0301\u0301\u0301\u0301\u0301']
for (const name of unused) {
  test(`refuses ${name}, which has a script that is not in use today or stacked marks`, () => {
    assert.equal(findTrustedNameViolation(name)?.code, 'misleading')
  })
}

test('checks a long text in time proportional to its length', () => {
  const words = (count: number) => `${'می\u200cخ '.repeat(count)}${'a\u0301'.repeat(count)}`
  const timeOf = (text: string) => {
    const began = process.hrtime.bigint()
    findTrustedNameViolation(text)
    findPersonNameViolation(text)
    return Number(process.hrtime.bigint() - began)
  }
  timeOf(words(100))
  const best = (text: string) => Math.min(...Array.from({ length: 5 }, () => timeOf(text)))
  assert.ok(best(words(2_000)) < 100 * best(words(200)))
})
