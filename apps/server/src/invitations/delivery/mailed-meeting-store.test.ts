import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedFields } from '@parley/rules/invitations/invitation-changes'
import { createEncryption } from '../../platform/encryption.ts'
import { secureRandom } from '../../platform/random.ts'
import { decryptState, encryptState } from './mailed-meeting-store.ts'

const encryption = createEncryption(Buffer.alloc(32, 7))
const [one, other] = ['2030-01-01', '2030-01-02'].map((day) => secureRandom.uuid(new Date(day)))
const stateOf = (topic: string) => ({
  topic,
  description: '',
  location: 'Room 5',
  code: '1234567890',
  pin: 'k7m2xq',
  droppedDates: ['2030-01-21'],
  series: {
    startsAt: new Date('2030-01-07T09:00:00Z'),
    durationMs: 60_000,
    timeZone: 'UTC',
    rule: { repeat: 'none' as const },
    endsBy: new Date('2030-02-01'),
    cancelled: [new Date('2030-01-14')],
    changed: [
      {
        originalStart: new Date('2030-01-21'),
        times: { startsAt: new Date('2030-01-22'), endsAt: new Date('2030-01-23') },
        topic: 'Own topic',
        description: null,
        location: null,
      },
      { originalStart: new Date('2030-01-28'), times: null, topic: null, description: 'Own text', location: null },
    ],
  },
})
const rowOf = (meetingId = '', sequence = 3) => ({ meetingId, sequence })

test('reads a state as it was written, in its own row only', () => {
  const encryptedContent = encryptState(encryption, rowOf(one), stateOf('one'))
  const open = (row: { meetingId: string; sequence: number }) => decryptState(encryption, { ...row, encryptedContent })
  assert.deepEqual(open(rowOf(one)), stateOf('one'))
  assert.throws(() => open(rowOf(other)))
  assert.throws(() => open(rowOf(one, 4)))
})

test('a state from before a text existed has it empty, so that no guest is mailed a change of it', () => {
  const { location: _, series, ...texts } = stateOf('one')
  const changed = series.changed.map(({ location: __, ...change }) => change)
  const { cancelled: excluded, ...rest } = series
  const text = JSON.stringify({ ...texts, series: { ...rest, excluded, changed } })
  const encryptedContent = encryption.encrypt(text, 'meeting state', `${one} 3`)
  const old = decryptState(encryption, { ...rowOf(one), encryptedContent })
  const now = { ...stateOf('one'), location: '' }
  assert.deepEqual(old, now)
  assert.deepEqual(changedFields(old, now), [])
})
