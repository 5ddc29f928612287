import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Kept, keepChoice, keptChoice, readKept } from './device-choice.ts'

function storageWith(value: string | null): Storage {
  const kept = new Map(value === null ? [] : [['parley-room', value]])
  return {
    length: kept.size,
    clear() {},
    key: () => null,
    removeItem() {},
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => void kept.set(key, text),
  }
}

test('restores the last choice', () => {
  const storage = storageWith(null)
  const choice: Kept = {
    name: 'Ann',
    devices: { camera: 'c1', speaker: 's1' },
    background: 'dusk',
    reducesNoise: true,
  }
  keepChoice(storage, choice)
  assert.deepEqual(keptChoice(storage), choice)
})

test('restores nothing when the stored choice is absent or invalid', () => {
  for (const value of [null, '', '{', 'null', '7', '[]'])
    assert.deepEqual(keptChoice(storageWith(value)), {
      name: '',
      devices: {},
      background: 'none',
      reducesNoise: false,
    })
  assert.deepEqual(
    readKept({
      name: 7,
      background: 'beach',
      reducesNoise: 'yes',
      devices: { camera: {}, microphone: 'm1', other: 'x' },
    }),
    {
      name: '',
      devices: { microphone: 'm1' },
      background: 'none',
      reducesNoise: false,
    },
  )
})
