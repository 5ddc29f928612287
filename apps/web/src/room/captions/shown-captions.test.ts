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

test('each person has a place, with the last three lines, by their beginnings', () => {
  const lines = [line(1), line(2, { from: 'bob' }), line(3), line(4), line(5), line(6, { isTyped: true })]
  assert.deepEqual(shown(lines, 0), [[2], [3, 4, 5], [6]])
})

test('at most four people are shown, those who spoke last; many lines of one displace no other', () => {
  const people = ['bob', 'cem', 'dia', 'eve', 'fay'].map((from, at) => line(at, { from, changedOn: new Date(at) }))
  const many = Array.from({ length: 50 }, (_, at) => line(10 + at, { changedOn: new Date(10) }))
  assert.deepEqual(shown([...people, ...many], 10), [[2], [3], [4], [57, 58, 59]])
  const again = people.map((one) => (one.from === 'bob' ? { ...one, isFinal: false, changedOn: new Date(20) } : one))
  assert.deepEqual(shown(again, 20), [[0], [2], [3], [4]])
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
