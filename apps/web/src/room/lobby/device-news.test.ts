import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareDevices } from './device-news.ts'
import type { Devices } from './use-devices.ts'

const built: Devices = {
  camera: [{ id: 'c1', label: 'Built-in camera' }],
  microphone: [
    { id: 'default', label: 'Default - Built-in microphone' },
    { id: 'm1', label: 'Built-in microphone' },
  ],
  speaker: [{ id: 's1', label: 'Built-in speaker' }],
}
const withHeadset: Devices = {
  ...built,
  microphone: [
    { id: 'default', label: 'Default - Headset' },
    ...built.microphone.slice(1),
    { id: 'm2', label: 'Headset' },
  ],
  speaker: [...built.speaker, { id: 's2', label: 'Headset' }],
}
const unnamed: Devices = { camera: [], microphone: [{ id: 'm1', label: '' }], speaker: [] }

const rows = [
  ['nothing', built, built, { added: [], removed: [] }],
  [
    'a headset, which is microphone and speaker',
    built,
    withHeadset,
    { added: [{ label: 'Headset', ids: { microphone: 'm2', speaker: 's2' } }], removed: [] },
  ],
  ['a headset that is unplugged', withHeadset, built, { added: [], removed: ['Headset'] }],
  [
    'a camera that is exchanged',
    built,
    { ...built, camera: [{ id: 'c2', label: 'Webcam' }] },
    { added: [{ label: 'Webcam', ids: { camera: 'c2' } }], removed: ['Built-in camera'] },
  ],
  ['names that a permission has revealed', unnamed, built, { added: [], removed: [] }],
] as const

for (const [name, before, after, news] of rows) {
  test(`tells of ${name}`, () => assert.deepEqual(compareDevices(before, after), news))
}
