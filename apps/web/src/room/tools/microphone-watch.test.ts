import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMicrophoneWatch } from './microphone-watch.ts'

const everyMs = 100

/** Feed levels at 10 a second, and return the hint after the last one. */
function hintAfter(...parts: { level: number; seconds: number; muted: boolean }[]) {
  const watch = createMicrophoneWatch()
  let atMs = 0
  let hint: ReturnType<typeof watch>
  for (const { level, seconds, muted } of parts) {
    for (let count = 0; count < seconds * 10; count += 1) {
      hint = watch({ level, muted, atMs })
      atMs += everyMs
    }
  }
  return hint
}
const speech = 0.1
const room = 0.002

test('notices speech while muted, and forgets it a while after', () => {
  assert.equal(hintAfter({ level: speech, seconds: 1, muted: true }), 'speaksMuted')
  assert.equal(
    hintAfter({ level: speech, seconds: 1, muted: true }, { level: room, seconds: 3, muted: true }),
    'speaksMuted',
  )
  assert.equal(
    hintAfter({ level: speech, seconds: 1, muted: true }, { level: room, seconds: 7, muted: true }),
    undefined,
  )
  assert.equal(
    hintAfter({ level: speech, seconds: 1, muted: true }, { level: speech, seconds: 0.1, muted: false }),
    undefined,
  )
})

test('does not take a knock, the noise of a room or the last words before muting for speech', () => {
  assert.equal(
    hintAfter({ level: speech, seconds: 0.4, muted: true }, { level: room, seconds: 0.6, muted: true }),
    undefined,
  )
  assert.equal(hintAfter({ level: room, seconds: 30, muted: true }), undefined)
  assert.equal(
    hintAfter({ level: speech, seconds: 5, muted: false }, { level: room, seconds: 1, muted: true }),
    undefined,
  )
})

test('notices digital silence of an open microphone after eight seconds, until there is a sound', () => {
  assert.equal(hintAfter({ level: 0, seconds: 8, muted: false }), undefined)
  assert.equal(hintAfter({ level: 0, seconds: 8.2, muted: false }), 'silent')
  assert.equal(
    hintAfter({ level: 0, seconds: 9, muted: false }, { level: 0.0001, seconds: 0.1, muted: false }),
    undefined,
  )
  assert.equal(hintAfter({ level: 0, seconds: 30, muted: true }), undefined)
  assert.equal(hintAfter({ level: room, seconds: 30, muted: false }), undefined)
})
