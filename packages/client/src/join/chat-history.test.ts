import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChatHistory, inBatches, maxEarlierMessages } from './chat-history.ts'
import {
  type EarlierMessage,
  maxChatCharacters,
  messageTopic,
  type RoomMessage,
  readMessage,
  writeMessage,
} from './message.ts'
import type { ChatMessage, EarlierMessages, RoomSnapshot } from './room.ts'
import { createStore } from './store.ts'

const sentOn = '2030-01-07T09:00:00.000Z'
const ann = { id: 'a', name: 'Ann' }
const bob = { id: 'b', name: 'Bob' }
const earlier = (text: string): EarlierMessage => ({ name: 'Zoe', text, sentOn })
const written = (text: string, isPrivate = false): ChatMessage => ({
  id: 1,
  from: 'a',
  name: 'Ann',
  isMine: true,
  isPrivate,
  to: isPrivate ? 'Bob' : null,
  text,
  receivedOn: new Date(sentOn),
})

function page(messages: readonly ChatMessage[] = [], earlierMessages: EarlierMessages | null = null) {
  const store = createStore({ messages, earlierMessages } as unknown as RoomSnapshot)
  const sent: { message: RoomMessage; to: string }[] = []
  const sendMessage = async (message: RoomMessage, to: string) => void sent.push({ message, to })
  return { store, sent, sendMessage, history: createChatHistory(store) }
}

test('a participant who asks gets the messages to everyone, relayed and own, and no private ones', async () => {
  const { history, sent, sendMessage } = page([written('Hello'), written('Between us', true)], {
    relayedBy: 'Zoe',
    messages: [earlier('First')],
  })
  await history.answer('b', sendMessage)
  await history.answer('b', sendMessage)
  const messages = [earlier('First'), { name: 'Ann', text: 'Hello', sentOn }]
  assert.deepEqual(sent, [{ to: 'b', message: { kind: 'history', messages, isLast: true } }], 'and gets it once')
})

test('each answer to the same participant doubles the pause before the next, up to two minutes', async (t) => {
  t.mock.timers.enable({ apis: ['Date'] })
  const { history, sent, sendMessage } = page([written('Hello')])
  const answeredAfterSeconds: number[] = []
  for (let second = 0; second <= 400; second++) {
    const before = sent.length
    await history.answer('b', sendMessage)
    if (sent.length > before) answeredAfterSeconds.push(second)
    t.mock.timers.tick(1000)
  }
  assert.deepEqual(answeredAfterSeconds, [0, 10, 30, 70, 150, 270, 390])
})

test('splits a long chat into messages that fit the data channel', () => {
  const messages = Array.from({ length: 50 }, (_, at) => earlier(`${at}${'\u0000'.repeat(maxChatCharacters - 2)}`))
  const batches = inBatches(messages)
  const read = batches.map((batch) => readMessage(writeMessage(batch), messageTopic))
  assert.deepEqual(read, batches)
  assert.deepEqual(
    batches.flatMap((batch) => batch.messages),
    messages,
  )
  assert.deepEqual(
    batches.map(({ isLast }) => isLast),
    batches.map((_, at) => at === batches.length - 1),
  )
})

test('accepts a history only from the participant who was asked, until its last batch', async () => {
  const { history, store, sent, sendMessage } = page()
  const leaving = new AbortController()
  const asking = history.request(ann, sendMessage, leaving.signal)
  assert.deepEqual(sent, [{ to: 'a', message: { kind: 'ask_history' } }])
  history.receive(bob, { kind: 'history', messages: [earlier('Forged')], isLast: true })
  assert.equal(store.snapshot().earlierMessages, null)
  history.receive(ann, { kind: 'history', messages: [earlier('One')], isLast: false })
  history.receive(ann, { kind: 'history', messages: [earlier('Two')], isLast: true })
  history.receive(ann, { kind: 'history', messages: [earlier('Late')], isLast: true })
  assert.deepEqual(store.snapshot().earlierMessages, { relayedBy: 'Ann', messages: [earlier('One'), earlier('Two')] })
  leaving.abort()
  await asking
})

test('sends no request in an empty room, and no second one after reconnecting', async () => {
  const { history, sent, sendMessage } = page()
  const leaving = new AbortController()
  await history.request(undefined, sendMessage, leaving.signal)
  assert.deepEqual(sent, [])
  const asking = history.request(ann, sendMessage, leaving.signal)
  leaving.abort()
  await asking
  await history.request(bob, sendMessage, new AbortController().signal)
  assert.deepEqual(
    sent.map(({ to }) => to),
    ['a'],
  )
})

test('the history keeps a limited number of messages', () => {
  const { history, store, sendMessage } = page()
  void history.request(ann, sendMessage, AbortSignal.timeout(1))
  const messages = Array.from({ length: maxEarlierMessages + 5 }, (_, at) => earlier(String(at)))
  history.receive(ann, { kind: 'history', messages, isLast: true })
  assert.equal(store.snapshot().earlierMessages?.messages.length, maxEarlierMessages)
})
