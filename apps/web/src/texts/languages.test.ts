import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseLanguage, directionOf } from './languages.ts'

test('selects the chosen language, else the first supported one of the browser, else English', () => {
  assert.equal(chooseLanguage('hi', ['de']), 'hi')
  assert.equal(chooseLanguage(null, ['fr-CH', 'de-AT', 'en']), 'de')
  assert.equal(chooseLanguage('klingon', ['ar-EG']), 'ar')
  assert.equal(chooseLanguage(null, ['HI-in']), 'hi')
  assert.equal(chooseLanguage(null, ['fr']), 'en')
  assert.equal(chooseLanguage(null, []), 'en')
})

test('Arabic has the direction right to left', () => {
  assert.equal(directionOf('ar'), 'rtl')
  assert.equal(directionOf('hi'), 'ltr')
  assert.equal(directionOf('en-XA'), 'ltr')
})
