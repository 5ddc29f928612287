import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Participant, RoomSnapshot } from '@parley/client/join'
import { eventsBetween, readCommand, readFrameAddress } from './frame-messages.ts'

test('reads the meeting, the app and the origins of the frame', () => {
  const location = { pathname: '/embed/1234567890', search: '?clientId=app_planner' }
  assert.deepEqual(readFrameAddress(location, 'https://a.example http://localhost:3000'), {
    code: '1234567890',
    clientId: 'app_planner',
    origins: ['https://a.example', 'http://localhost:3000'],
  })
  assert.deepEqual(readFrameAddress({ pathname: '/embed/1', search: '' }, ''), { code: '1', clientId: '', origins: [] })
})

const commands = [
  { type: 'ticket', ticket: 'emt_x' },
  { type: 'microphone', on: true },
  { type: 'camera', on: false },
  { type: 'screen', on: true },
  { type: 'hand', on: true },
  { type: 'panel', panel: 'people' },
  { type: 'panel', panel: null },
  { type: 'layout', layout: 'speaker' },
  { type: 'leave' },
]
for (const command of commands) {
  test(`reads ${JSON.stringify(command)}, and nothing else of the message`, () => {
    assert.deepEqual(readCommand({ parley: 1, more: 'x', ...command }), command)
    assert.equal(readCommand(command), undefined)
  })
}

test('ignores other messages', () => {
  const others = [
    null,
    'leave',
    { parley: 2, type: 'leave' },
    { parley: 1 },
    { parley: 1, type: 'eject' },
    { parley: 1, type: 'microphone', on: 'true' },
    { parley: 1, type: 'microphone' },
    { parley: 1, type: 'ticket', ticket: 7 },
    { parley: 1, type: 'panel', panel: 'settings' },
    { parley: 1, type: 'panel' },
    { parley: 1, type: 'layout', layout: null },
  ]
  for (const other of others) assert.equal(readCommand(other), undefined, JSON.stringify(other))
})

const person = (id: string, changes: Partial<Participant> = {}) =>
  ({ id, name: id.toUpperCase(), isGuest: false, speaking: false, ...changes }) as Participant
const inRoom = (changes: Partial<RoomSnapshot> = {}) =>
  ({ status: { phase: 'inside' }, me: person('me'), others: [], ...changes }) as unknown as RoomSnapshot
const waiting = (state: string) => inRoom({ status: { phase: 'waiting', state } as RoomSnapshot['status'], me: null })

test('tells that the user waits, once for each state, and that they are inside', () => {
  const [first, second] = [waiting('waiting_for_host'), waiting('waiting')]
  assert.deepEqual(eventsBetween(undefined, first), [{ type: 'waiting', state: 'waiting_for_host' }])
  assert.deepEqual(eventsBetween(first, first), [])
  assert.deepEqual(eventsBetween(first, second), [{ type: 'waiting', state: 'waiting' }])
  assert.deepEqual(eventsBetween(second, inRoom()), [{ type: 'joined', id: 'me', name: 'ME' }])
})

test('tells of no second joining after a lost connection', () => {
  const lost = inRoom({ status: { phase: 'reconnecting' } as RoomSnapshot['status'] })
  assert.deepEqual([...eventsBetween(inRoom(), lost), ...eventsBetween(lost, inRoom())], [])
})

test('tells who comes, goes and speaks', () => {
  const bob = person('bob', { isGuest: true })
  const together = inRoom({ others: [bob] })
  const came = { type: 'participant', change: 'joined', id: 'bob', name: 'BOB', isGuest: true }
  assert.deepEqual(eventsBetween(inRoom(), together), [came])
  assert.deepEqual(eventsBetween(together, inRoom()), [{ ...came, change: 'left' }])
  const speaking = inRoom({ others: [{ ...bob, speaking: true }] })
  assert.deepEqual(eventsBetween(together, speaking), [{ type: 'speaking', ids: ['bob'] }])
  assert.deepEqual(eventsBetween(speaking, together), [{ type: 'speaking', ids: [] }])
})

test('tells once how it ended', () => {
  const over = (end: object) => inRoom({ status: { phase: 'over', end } as RoomSnapshot['status'], me: null })
  assert.deepEqual(eventsBetween(inRoom(), over({ reason: 'left' })), [{ type: 'left' }])
  assert.deepEqual(eventsBetween(inRoom(), over({ reason: 'removed' })), [{ type: 'ended', reason: 'removed' }])
  const failed = over({ reason: 'failed', problem: { code: 'unauthorized' } })
  assert.deepEqual(eventsBetween(inRoom(), failed), [{ type: 'error', code: 'unauthorized' }])
  assert.deepEqual(eventsBetween(failed, failed), [])
})
