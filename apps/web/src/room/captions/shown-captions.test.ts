import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Caption } from '@parley/client/join'
import { groupCaptions, linesToReadOut, shownCaptions } from './shown-captions.ts'

const line = (id: number, more: Partial<Caption> = {}): Caption => ({
  id,
  from: 'ann',
  name: 'Ann',
  isGuest: false,
  isMine: false,
  text: `line ${id}`,
  isFinal: true,
  isTyped: false,
  language: null,
  changedOn: new Date(0),
  ...more,
})
const ids = (groups: ReturnType<typeof groupCaptions>) => groups.map(({ lines }) => lines.map(({ id }) => id))
const shown = (lines: Caption[], nowMs: number, showsSpeech = true) => ids(shownCaptions(lines, showsSpeech, nowMs))

test('what is typed is always shown, what is said on request', () => {
  const lines = [line(1), line(2, { isTyped: true, from: 'bob' })]
  assert.deepEqual(shown(lines, 0), [[1], [2]])
  assert.deepEqual(shown(lines, 0, false), [[2]])
})

test('a line is gone once it can have been read, and an unfinished one after half a minute', () => {
  assert.deepEqual(shown([line(1)], 5_999), [[1]])
  assert.deepEqual(shown([line(1)], 6_000), [])
  assert.deepEqual(shown([line(1, { text: 'x'.repeat(300) })], 19_799), [[1]])
  assert.deepEqual(shown([line(1, { text: 'x'.repeat(300) })], 19_800), [])
  assert.deepEqual(shown([line(1, { isFinal: false })], 29_999), [[1]])
  assert.deepEqual(shown([line(1, { isFinal: false })], 30_000), [])
})

test('at most eight lines are shown, the latest', () => {
  const lines = Array.from({ length: 9 }, (_, at) => line(at))
  assert.deepEqual(shown(lines, 0), [[1, 2, 3, 4, 5, 6, 7, 8]])
})

test('lines that follow each other have the name once, unless another person, a new name or typed text comes between', () => {
  const lines = [
    line(1),
    line(2),
    line(3, { from: 'bob' }),
    line(4),
    line(5, { isTyped: true }),
    line(6, { isTyped: true, name: 'Anna' }),
  ]
  assert.deepEqual(ids(groupCaptions(lines)), [[1, 2], [3], [4], [5], [6]])
})

test('only final typed lines of others are read out; what is said only on request', () => {
  const lines = [
    line(1),
    line(2, { isTyped: true }),
    line(3, { isTyped: true, isFinal: false }),
    line(4, { isTyped: true, isMine: true }),
  ]
  const read = (readsSpeechOut: boolean) => linesToReadOut(lines, readsSpeechOut).map(({ id }) => id)
  assert.deepEqual(read(false), [2])
  assert.deepEqual(read(true), [1, 2])
})
