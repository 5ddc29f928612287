import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startingDevices } from './starting-devices.ts'

const on = { camera: true, microphone: true, hardMuted: false }
const nothing = { left: undefined, start: on, person: null }

test('the profile switches camera and microphone off before joining', () => {
  assert.deepEqual(startingDevices(nothing), { camera: true, microphone: true })
  const quiet = { microphoneOff: true, videoOff: false }
  assert.deepEqual(startingDevices({ ...nothing, person: quiet }), { camera: true, microphone: false })
  const unseen = { microphoneOff: false, videoOff: true }
  assert.deepEqual(startingDevices({ ...nothing, person: unseen }), { camera: false, microphone: true })
})

test('the last state in this window takes precedence over a meeting that begins muted', () => {
  const quiet = { microphoneOff: true, videoOff: true }
  const left = { camera: true, microphone: true }
  assert.deepEqual(startingDevices({ left, start: on, person: quiet }), left)
  const muted = { camera: false, microphone: false, hardMuted: false }
  assert.deepEqual(startingDevices({ ...nothing, start: muted }), { camera: false, microphone: false })
  const hard = { camera: true, microphone: true, hardMuted: true }
  assert.deepEqual(startingDevices({ left, start: hard, person: null }), { camera: true, microphone: false })
})
