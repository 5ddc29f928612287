import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchesPerson, searchWords, textWords } from './search-words.ts'

test('words are without accents and in lower case, and end at spaces, commas, quotes and brackets', () => {
  assert.deepEqual(searchWords('Ünal  "Ørsted",ÅSA <@Home>'), ['unal', 'ørsted', 'asa', 'home'])
  assert.deepEqual(searchWords(' @ , '), [])
  assert.deepEqual(searchWords('a'.repeat(65)), ['a'.repeat(64)])
  assert.equal(searchWords('a b c d e f g h i').length, 8)
})

test('words of texts are letters and digits, without accents and in lower case', () => {
  assert.deepEqual(textWords('Überblick: Projekt_X, 90% (C:\\dir)'), ['uberblick', 'projekt', 'x', '90', 'c', 'dir'])
  assert.deepEqual(textWords('नमस्ते'), ['नमस्ते'])
  assert.deepEqual(textWords(' %_\\.*+?^$(|)[]{} '), [])
  assert.deepEqual(textWords('a'.repeat(300)), ['a'.repeat(64)])
  assert.equal(textWords('a b c d e f g h i').length, 8)
})

const bob = { email: 'bob.baker-smith@mail.example.org', name: 'Róbert O’Neil' }
for (const [text, isMatch] of [
  ['b', true],
  ['baker', true],
  ['smi', true],
  ['bob.ba', true],
  ['robert one', false],
  ['robert o’n', true],
  ['bob rob', true],
  ['@mail', true],
  ['mail.ex', true],
  ['example', false],
  ['ob', false],
] as const) {
  test(`“${text}” ${isMatch ? 'finds' : 'does not find'} the person`, () => {
    assert.equal(matchesPerson(text, bob), isMatch)
  })
}
