import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CaptionChoice, defaultCaptions, readCaptionChoice } from './caption-choice.ts'

test('reads what was kept', () => {
  const kept: CaptionChoice = {
    showsSpeech: true,
    size: 'large',
    place: 'top',
    readsSpeechOut: true,
    writesSpeech: false,
    speechLanguage: 'de-DE',
  }
  assert.deepEqual(readCaptionChoice(JSON.stringify(kept)), kept)
})

test('replaces what is missing or wrong', () => {
  const wrong = {
    showsSpeech: 1,
    size: 'huge',
    place: ['top'],
    readsSpeechOut: 'yes',
    writesSpeech: 1,
    speechLanguage: {},
  }
  for (const value of [null, '', '{', 'null', '[]', '{}', JSON.stringify(wrong)])
    assert.deepEqual(readCaptionChoice(value), defaultCaptions, String(value))
})
