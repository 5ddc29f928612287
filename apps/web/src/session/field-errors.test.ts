import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldName } from './field-errors.ts'

test('converts a JSON Pointer to the form’s dotted field name', () => {
  assert.equal(fieldName('/email'), 'email')
  assert.equal(fieldName('/participants/0'), 'participants.0')
  assert.equal(fieldName('/a~1b/c~0d'), 'a/b.c~d')
  assert.equal(fieldName(''), '')
})
