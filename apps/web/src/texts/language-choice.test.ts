import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseLanguage } from './language-choice.ts'

test('selects the chosen language, else the first supported one of the browser, else English', () => {
  assert.equal(chooseLanguage('hi', ['de']), 'hi')
  assert.equal(chooseLanguage(null, ['tlh-CH', 'de-AT', 'en']), 'de')
  assert.equal(chooseLanguage('klingon', ['ar-EG']), 'ar')
  assert.equal(chooseLanguage(null, ['HI-in']), 'hi')
  assert.equal(chooseLanguage(null, ['tlh']), 'en')
  assert.equal(chooseLanguage(null, []), 'en')
})
