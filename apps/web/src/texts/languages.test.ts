import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseLanguage, directionOf } from './languages.ts'

test('the language is the one that was chosen, else the first of the browser’s that we write, else English', () => {
  assert.equal(chooseLanguage('hi', ['de']), 'hi')
  assert.equal(chooseLanguage(null, ['fr-CH', 'de-AT', 'en']), 'de')
  assert.equal(chooseLanguage('klingon', ['ar-EG']), 'ar')
  assert.equal(chooseLanguage(null, ['HI-in']), 'hi')
  assert.equal(chooseLanguage(null, ['fr']), 'en')
  assert.equal(chooseLanguage(null, []), 'en')
})

test('Arabic is written from right to left', () => {
  assert.equal(directionOf('ar'), 'rtl')
  assert.equal(directionOf('hi'), 'ltr')
  assert.equal(directionOf('en-XA'), 'ltr')
})
