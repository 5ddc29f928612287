import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RoomSnapshot } from './room.ts'
import { createSnapshotStore } from './store.ts'
import { createTalk, maxMessages, maxReactions } from './talk.ts'

const bob = { id: 'b', name: 'Bob', isMe: false, role: 'participant', isGuest: true } as const
const carol = { id: 'c', name: 'Carol', isMe: true, role: 'participant', isGuest: false } as const

function room() {
  const store = createSnapshotStore({ messages: [], reactions: [] } as unknown as RoomSnapshot)
  return { store, talk: createTalk(store) }
}

test('a message has its sender’s name in the room, and own messages are marked', () => {
  const { store, talk } = room()
  talk.receive(bob, { kind: 'chat', text: 'Hello' })
  talk.receive(carol, { kind: 'chat', text: 'Hi' })
  const shown = store.snapshot().messages.map(({ receivedOn, ...said }) => said)
  const aside = { isPrivate: false, to: null }
  assert.deepEqual(shown, [
    { id: 1, from: 'b', name: 'Bob', isGuest: true, isMine: false, text: 'Hello', ...aside },
    { id: 2, from: 'c', name: 'Carol', isGuest: false, isMine: true, text: 'Hi', ...aside },
  ])
})

test('a private message is marked, and names its recipient', () => {
  const { store, talk } = room()
  talk.receive(bob, { kind: 'chat', text: 'Psst', isPrivate: true })
  talk.receive(carol, { kind: 'chat', text: 'Yes?', isPrivate: true }, 'Bob')
  const shown = store.snapshot().messages.map(({ isPrivate, to }) => [isPrivate, to])
  assert.deepEqual(shown, [
    [true, null],
    [true, 'Bob'],
  ])
})

test('hands are listed in the order of raising, each once, without those lowered or of people who left', () => {
  const { talk } = room()
  talk.receive(bob, { kind: 'hand', up: true })
  talk.receive(carol, { kind: 'hand', up: true })
  talk.receive(bob, { kind: 'hand', up: true })
  assert.deepEqual(talk.hands(), ['b', 'c'])
  talk.receive(bob, { kind: 'hand', up: false })
  assert.deepEqual(talk.hands(), ['c'])
  talk.removeParticipant('c')
  assert.deepEqual(talk.hands(), [])
})

test('a host or cohost may lower any hand, a participant only their own', () => {
  const { talk } = room()
  for (const role of ['host', 'cohost'] as const) {
    talk.receive(bob, { kind: 'hand', up: true })
    talk.receive(carol, { kind: 'hand', up: true })
    talk.receive({ ...carol, role }, { kind: 'lower_hand', of: 'b' })
    assert.deepEqual(talk.hands(), ['c'], role)
  }
  talk.receive(bob, { kind: 'lower_hand', of: 'c' })
  assert.deepEqual(talk.hands(), ['c'])
})

test('keeps the last 500 messages and 50 reactions', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { store, talk } = room()
  for (let count = 0; count < maxMessages + 1; count++) talk.receive(bob, { kind: 'chat', text: String(count) })
  for (let count = 0; count < maxReactions + 1; count++) talk.receive(bob, { kind: 'reaction', emoji: '👍' })
  const { messages, reactions } = store.snapshot()
  assert.deepEqual([messages.length, messages[0]?.text, reactions.length], [500, '1', 50])
})

test('removes a reaction after five seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { store, talk } = room()
  talk.receive(bob, { kind: 'reaction', emoji: '🎉' })
  t.mock.timers.tick(4999)
  await Promise.resolve()
  assert.deepEqual(
    store.snapshot().reactions.map(({ name, emoji }) => [name, emoji]),
    [['Bob', '🎉']],
  )
  t.mock.timers.tick(1)
  await Promise.resolve()
  await Promise.resolve()
  assert.deepEqual(store.snapshot().reactions, [])
})
