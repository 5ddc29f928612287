import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dataTopics } from '@parley/contract'
import { createChatHistory, inBatches, maxEarlierMessages } from './chat-history.ts'
import { type EarlierMessage, maxChatCharacters, type RoomMessage, readMessage, writeMessage } from './message.ts'
import type { ChatMessage, EarlierMessages, RoomSnapshot } from './room.ts'
import { createSnapshotStore } from './store.ts'

const sentOn = '2030-01-07T09:00:00.000Z'
const ann = { id: 'a', name: 'Ann', role: 'participant' as const }
const bob = { id: 'b', name: 'Bob', role: 'participant' as const }
const host = { id: 'h', name: 'Hana', role: 'host' as const }
const cohost = { id: 'c', name: 'Cai', role: 'cohost' as const }
const earlier = (text: string): EarlierMessage => ({ name: 'Zoe', text, sentOn })
const relayed = (text: string, relayedBy = 'Ann') => ({ claimedName: 'Zoe', text, sentOn, relayedBy })
const written = (text: string, isPrivate = false): ChatMessage => ({
  id: 1,
  from: 'a',
  name: 'Ann',
  isGuest: false,
  isMine: true,
  isPrivate,
  to: isPrivate ? 'Bob' : null,
  text,
  receivedOn: new Date(sentOn),
})

function page(
  messages: readonly ChatMessage[] = [],
  earlierMessages: EarlierMessages | null = null,
  role: RoomSnapshot['role'] = 'participant',
) {
  const store = createSnapshotStore({ messages, earlierMessages, role } as unknown as RoomSnapshot)
  const sent: { message: RoomMessage; to: string }[] = []
  const sendMessage = async (message: RoomMessage, to: string) => void sent.push({ message, to })
  return { store, sent, sendMessage, history: createChatHistory(store) }
}

test('a participant who asks gets the messages to everyone, relayed and own, and no private ones', async () => {
  const { history, sent, sendMessage } = page([written('Hello'), written('Between us', true)], {
    relayedBy: 'Yan',
    role: 'participant',
    messages: [relayed('First', 'Yan')],
  })
  await history.answer('b', sendMessage)
  await history.answer('b', sendMessage)
  const messages = [
    { ...earlier('First'), relayedBy: 'Yan' },
    { name: 'Ann', text: 'Hello', sentOn },
  ]
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
  const read = batches.map((batch) => readMessage(writeMessage(batch), dataTopics.chat))
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
  const asking = history.request(() => [ann], sendMessage, leaving.signal)
  assert.deepEqual(sent, [{ to: 'a', message: { kind: 'ask_history' } }])
  history.receive(bob, { kind: 'history', messages: [earlier('Forged')], isLast: true }, [ann])
  assert.equal(store.snapshot().earlierMessages, null)
  history.receive(ann, { kind: 'history', messages: [earlier('One')], isLast: false }, [ann])
  history.receive(ann, { kind: 'history', messages: [earlier('Two')], isLast: true }, [ann])
  history.receive(ann, { kind: 'history', messages: [earlier('Late')], isLast: true }, [ann])
  assert.deepEqual(store.snapshot().earlierMessages, {
    relayedBy: 'Ann',
    role: 'participant',
    messages: [relayed('One'), relayed('Two')],
  })
  leaving.abort()
  await asking
})

test('sends no request in an empty room, and no second one after reconnecting', async () => {
  const { history, sent, sendMessage } = page()
  const leaving = new AbortController()
  await history.request(() => [], sendMessage, leaving.signal)
  assert.deepEqual(sent, [])
  const asking = history.request(() => [ann], sendMessage, leaving.signal)
  leaving.abort()
  await asking
  await history.request(() => [bob], sendMessage, new AbortController().signal)
  assert.deepEqual(
    sent.map(({ to }) => to),
    ['a'],
  )
})

test('the history keeps a limited number of messages', () => {
  const { history, store, sendMessage } = page()
  void history.request(() => [ann], sendMessage, AbortSignal.timeout(1))
  const messages = Array.from({ length: maxEarlierMessages + 5 }, (_, at) => earlier(String(at)))
  history.receive(ann, { kind: 'history', messages, isLast: true }, [ann])
  assert.equal(store.snapshot().earlierMessages?.messages.length, maxEarlierMessages)
})

/** Ask for the history among these people; time passes at once. */
async function ask(present: () => readonly Parameters<ReturnType<typeof createChatHistory>['receive']>[0][]) {
  const asked = page()
  const leaving = new AbortController()
  const asking = asked.history.request(present, asked.sendMessage, leaving.signal)
  leaving.abort()
  await asking
  return asked
}

test('hosts and cohosts are asked, however long a guest has been there', async () => {
  for (const [present, source] of [
    [[ann, host, bob], 'h'],
    [[ann, bob, cohost], 'c'],
    [[ann, bob], 'a'],
  ] as const) {
    const { sent } = await ask(() => present)
    assert.deepEqual(sent, [{ to: source, message: { kind: 'ask_history' } }])
  }
})

test('one host after another is asked, and no guest, until the longest pause between answers is over', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const { history, sent, sendMessage } = page()
  const askedAtSeconds: number[] = []
  const asking = history.request(
    () => [ann, host, cohost],
    async (message, to) => {
      askedAtSeconds.push(Date.now() / 1000)
      await sendMessage(message, to)
    },
    new AbortController().signal,
  )
  for (let second = 0; second < 300; second++) {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    t.mock.timers.tick(1_000)
  }
  await asking
  assert.deepEqual(
    sent.map(({ to }) => to),
    ['h', 'c', 'h', 'c', 'h', 'c', 'h'],
  )
  assert.deepEqual(askedAtSeconds, [0, 2, 6, 14, 30, 62, 126])
})

test('a late answer does not repeat what was received since joining', async () => {
  const { history, store } = await ask(() => [host])
  store.change({ messages: [written('Hello')] })
  const own = { name: 'Ann', text: 'Hello', sentOn }
  history.receive(host, { kind: 'history', messages: [own, earlier('Before'), own], isLast: true }, [host])
  assert.deepEqual(
    store.snapshot().earlierMessages?.messages.map(({ claimedName, text }) => [claimedName, text]),
    [
      ['Ann', 'Hello'],
      ['Zoe', 'Before'],
    ],
  )
})

test('a guest who was asked plants nothing once a host is there', async () => {
  const { history, store } = await ask(() => [ann])
  history.receive(ann, { kind: 'history', messages: [earlier('Forged')], isLast: true }, [ann, host])
  assert.equal(store.snapshot().earlierMessages, null)
  history.receive(ann, { kind: 'history', messages: [earlier('Kept')], isLast: true }, [ann])
  assert.deepEqual(store.snapshot().earlierMessages?.messages, [relayed('Kept')])
})

test('a host passes on what hosts relayed, and never what a guest did', async () => {
  for (const [source, passedOn] of [
    ['participant', ['Own']],
    ['cohost', ['Earlier', 'Own']],
    ['host', ['Earlier', 'Own']],
  ] as const) {
    const earlierMessages = { relayedBy: 'Ann', role: source, messages: [relayed('Earlier')] }
    const { history, sent, sendMessage } = page([written('Own')], earlierMessages, 'host')
    await history.answer('b', sendMessage)
    const [{ message } = {}] = sent
    assert.deepEqual(message?.kind === 'history' && message.messages.map(({ text }) => text), passedOn)
  }
})

test('who relayed a message first stays with it, whatever names it claims', async () => {
  const { history, store } = await ask(() => [bob])
  const claims = { ...earlier('Planted'), name: 'Hana' }
  history.receive(bob, { kind: 'history', messages: [{ ...claims, relayedBy: 'Ann' }, claims], isLast: true }, [bob])
  assert.deepEqual(
    store.snapshot().earlierMessages?.messages.map(({ claimedName, relayedBy }) => [claimedName, relayedBy]),
    [
      ['Hana', 'Ann'],
      ['Hana', 'Bob'],
    ],
  )
})

test('each breakout room has a chat of its own, which is requested once and passed on in that room alone', async () => {
  const { store, history, sent, sendMessage } = page([written('In the main room')])
  const leaving = new AbortController()
  void history.request(() => [ann], sendMessage, leaving.signal)
  assert.equal(history.enter(''), false)
  assert.equal(history.enter('one'), true)
  assert.deepEqual(store.snapshot().messages, [])
  // An answer from the room that was left comes too late.
  history.receive(ann, { kind: 'history', messages: [earlier('Late')], isLast: true }, [ann])
  assert.equal(store.snapshot().earlierMessages, null)

  void history.request(() => [bob], sendMessage, leaving.signal)
  history.receive(bob, { kind: 'history', messages: [earlier('Here')], isLast: true }, [bob])
  assert.deepEqual(
    store.snapshot().earlierMessages?.messages.map(({ text }) => text),
    ['Here'],
  )
  sent.length = 0
  await history.answer('c', sendMessage)
  assert.deepEqual(
    sent.flatMap(({ message }) => (message.kind === 'history' ? message.messages.map(({ text }) => text) : [])),
    ['Here'],
  )
  history.enter('')
  const { messages, earlierMessages } = store.snapshot()
  assert.deepEqual([messages.map(({ text }) => text), earlierMessages], [['In the main room'], null])
  history.enter('one')
  assert.equal(store.snapshot().earlierMessages?.messages.length, 1)
  leaving.abort()
})
