import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allRights } from '@parley/contract'
import { classifyDeviceError, keepDeviceState, keptDeviceState, startingDevices } from './device-state.ts'

function createStorage(): Storage {
  const values = new Map<string, string>()
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  } as Storage
}

test('restores the last state of the devices in each meeting', () => {
  const storage = createStorage()
  assert.equal(keptDeviceState(storage, '1234567890'), undefined)
  keepDeviceState(storage, '1234567890', { microphone: true, camera: true })
  keepDeviceState(storage, '1234567890', { microphone: false })
  assert.deepEqual(keptDeviceState(storage, '1234567890'), { microphone: false, camera: true })
  assert.equal(keptDeviceState(storage, '2345678901'), undefined)
})

test('treats a device without a stored state as off', () => {
  const storage = createStorage()
  keepDeviceState(storage, '1234567890', { camera: true })
  assert.deepEqual(keptDeviceState(storage, '1234567890'), { microphone: false, camera: true })
})

test('ignores invalid stored values', () => {
  for (const foreign of ['', 'no JSON', 'null', '[]', '{"microphone":true}', '{"microphone":1,"camera":"on"}']) {
    const storage = createStorage()
    storage.setItem('parley-devices-1234567890', foreign)
    assert.equal(keptDeviceState(storage, '1234567890'), undefined, foreign)
  }
})

const on = { camera: true, microphone: true, hardMuted: false, allowed: allRights }
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
  const muted = { ...on, camera: false, microphone: false }
  assert.deepEqual(startingDevices({ ...nothing, start: muted }), { camera: false, microphone: false })
  const hard = { ...on, hardMuted: true }
  assert.deepEqual(startingDevices({ left, start: hard, person: null }), { camera: true, microphone: false })
  const unseen = { ...on, allowed: { ...allRights, camera: false } }
  assert.deepEqual(startingDevices({ left, start: unseen, person: null }), { camera: false, microphone: true })
})

const rows = [
  ['NotAllowedError', 'refused'],
  ['NotFoundError', 'missing'],
  ['OverconstrainedError', 'missing'],
  ['NotReadableError', 'busy'],
  ['TypeError', 'unknown'],
] as const

for (const [name, trouble] of rows) {
  test(`${name} is ${trouble}`, () => assert.equal(classifyDeviceError(new DOMException('', name), true), trouble))
}

test('classifies every error as insecure without HTTPS', () => {
  assert.equal(classifyDeviceError(new TypeError('mediaDevices is undefined'), false), 'insecure')
})

test('classifies values that are not errors as unknown', () => {
  for (const thrown of [undefined, null, 'refused']) assert.equal(classifyDeviceError(thrown, true), 'unknown')
})
