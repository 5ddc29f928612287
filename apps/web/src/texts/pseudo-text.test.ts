import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pseudoText, pseudoTexts } from './pseudo-text.ts'

test('a pseudo-text is accented, bracketed and longer, with its placeholders and tags unchanged', () => {
  assert.equal(pseudoText('Save'), '[Šávé··]')
  assert.equal(pseudoText('Hi {{name}}'), '[Hí {{name}}····]')
  assert.equal(pseudoText('<b>Now</b>'), '[<b>Ñów</b>····]')
  assert.deepEqual(pseudoTexts({ group: { key: 'a' } }), { group: { key: '[á·]' } })
})
