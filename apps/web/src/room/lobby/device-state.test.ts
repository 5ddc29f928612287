import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepDeviceState, keptDeviceState } from './device-state.ts'

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
