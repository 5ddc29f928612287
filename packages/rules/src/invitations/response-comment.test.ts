import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxCommentLength, readComment } from './response-comment.ts'

test('reads a comment as plain text', () => {
  const cases: [string, string | null][] = [
    ['I am on holiday.', 'I am on holiday.'],
    ['  \n ', null],
    ['', null],
    ['\u0000\u0007\u202e', null],
    ['one\r\ntwo\rthree', 'one\ntwo\nthree'],
    ['one\n\n\n\n\ntwo', 'one\n\ntwo'],
    ['a\tb', 'a b'],
    ['<b>Bold</b> & "so"', '<b>Bold</b> & "so"'],
    ['safe\u202egnp.exe', 'safegnp.exe'],
    ['مرحبا\u200f', 'مرحبا\u200f'],
    ['half \ud83d', 'half \ufffd'],
  ]
  for (const [text, expected] of cases) assert.equal(readComment(text), expected, JSON.stringify(text))
})

test('cuts a comment at its maximum length, in characters', () => {
  assert.equal(readComment('x'.repeat(maxCommentLength)), 'x'.repeat(maxCommentLength))
  assert.equal(readComment('x'.repeat(maxCommentLength + 1)), `${'x'.repeat(maxCommentLength - 1)}…`)
  assert.equal(readComment('😀'.repeat(maxCommentLength)), '😀'.repeat(maxCommentLength))
  assert.equal([...(readComment('😀'.repeat(100_000)) ?? '')].length, maxCommentLength)
  assert.equal(readComment(`${' '.repeat(100_000)}late`), 'late')
})
