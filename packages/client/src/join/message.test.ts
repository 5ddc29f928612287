import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dataTopics } from '@parley/contract'
import {
  maxCaptionCharacters,
  maxChatCharacters,
  type RoomMessage,
  reactionEmoji,
  readMessage,
  topicOf,
  writeMessage,
} from './message.ts'

const bytesOf = (sent: unknown) => new TextEncoder().encode(typeof sent === 'string' ? sent : JSON.stringify(sent))

const longest = '\u0000'.repeat(maxChatCharacters - 1)
const ours: RoomMessage[] = [
  { kind: 'chat', text: 'Hello <b>' },
  { kind: 'chat', text: ` ${'😀'.repeat(10)}\n` },
  { kind: 'chat', text: `x${longest}` },
  { kind: 'hand', up: true },
  { kind: 'lower_hand', of: 'b' },
  { kind: 'hand', up: false },
  { kind: 'caption', line: 0, text: '', isFinal: false, isTyped: true },
  {
    kind: 'caption',
    line: 7,
    text: '\u0000'.repeat(maxCaptionCharacters),
    isFinal: true,
    isTyped: false,
    language: 'de-AT',
  },
  { kind: 'captions_wanted', on: true },
  { kind: 'captions_wanted', on: false },
  ...reactionEmoji.map((emoji) => ({ kind: 'reaction', emoji }) as const),
]
for (const message of ours) {
  test(`${JSON.stringify(message).slice(0, 40)} is parsed, without additional fields`, () => {
    assert.deepEqual(readMessage(writeMessage(message), topicOf(message)), message)
    assert.deepEqual(readMessage(bytesOf({ ...message, name: 'Alice', from: 'host' }), topicOf(message)), message)
  })
}

const foreign: unknown[] = [
  '',
  'null',
  '7',
  '"chat"',
  '[]',
  '{',
  '{"kind":"chat"',
  'x'.repeat(20_000),
  {},
  { kind: 'end' },
  { kind: '__proto__' },
  { kind: ['chat'], text: 'x' },
  { kind: 'chat' },
  { kind: 'chat', text: 7 },
  { kind: 'chat', text: '' },
  { kind: 'chat', text: ' \n' },
  { kind: 'chat', text: 'x'.repeat(maxChatCharacters + 1) },
  { kind: 'hand' },
  { kind: 'hand', up: 1 },
  { kind: 'hand', up: 'true' },
  { kind: 'lower_hand' },
  { kind: 'lower_hand', of: 1 },
  { kind: 'reaction' },
  { kind: 'reaction', emoji: '<img>' },
  { kind: 'reaction', emoji: '👍👍' },
  { kind: 'captions_wanted' },
  { kind: 'captions_wanted', on: 1 },
  { kind: 'caption', text: 'x', isFinal: false, isTyped: true },
  { kind: 'caption', line: 1.5, text: 'x', isFinal: false, isTyped: true },
  { kind: 'caption', line: 1, text: 7, isFinal: false, isTyped: true },
  { kind: 'caption', line: 1, text: 'x'.repeat(maxCaptionCharacters + 1), isFinal: false, isTyped: true },
  { kind: 'caption', line: 1, text: 'x', isTyped: true },
  { kind: 'caption', line: 1, text: 'x', isFinal: false, isTyped: 'no' },
]
for (const sent of foreign) {
  test(`${JSON.stringify(sent).slice(0, 50)} is refused`, () => {
    for (const topic of Object.values(dataTopics)) assert.equal(readMessage(bytesOf(sent), topic), undefined)
  })
}

test('refuses invalid UTF-8 and other topics', () => {
  assert.equal(readMessage(new Uint8Array([0xff, 0xfe, 0x7b]), dataTopics.signals), undefined)
  assert.equal(readMessage(writeMessage({ kind: 'hand', up: true }), 'lk-chat'), undefined)
  assert.equal(readMessage(writeMessage({ kind: 'hand', up: true }), undefined), undefined)
})

test('refuses a message under the topic of another kind, for which the sender may have the right', () => {
  for (const message of ours) {
    for (const topic of Object.values(dataTopics)) {
      const expected = topic === topicOf(message) ? message : undefined
      assert.deepEqual(readMessage(writeMessage(message), topic), expected)
    }
  }
  const history: RoomMessage = { kind: 'history', messages: [], isLast: true }
  assert.equal(readMessage(writeMessage(history), dataTopics.signals), undefined)
})

test('drops a language that is no tag', () => {
  const caption = { kind: 'caption', line: 1, text: 'x', isFinal: false, isTyped: false }
  for (const language of ['', 'x', '"', 'de_AT', 'en-', 7, 'a'.repeat(40)])
    assert.deepEqual(readMessage(bytesOf({ ...caption, language }), dataTopics.captions), caption)
})

test('drops invalid entries of a relayed history', () => {
  const sentOn = '2030-01-07T09:00:00.000Z'
  const right = { name: 'Ann', text: 'Hello', sentOn }
  const wrong = [
    null,
    7,
    'x',
    {},
    { ...right, name: 1 },
    { ...right, name: 'x'.repeat(251) },
    { ...right, text: ' ' },
    { ...right, text: 'x'.repeat(maxChatCharacters + 1) },
    { ...right, sentOn: 'yesterday' },
  ]
  const sent = { kind: 'history', messages: [...wrong, { ...right, isMine: true }], isLast: 'yes' }
  assert.deepEqual(readMessage(bytesOf(sent), dataTopics.chat), { kind: 'history', messages: [right], isLast: false })
  assert.equal(readMessage(bytesOf({ kind: 'history', messages: right }), dataTopics.chat), undefined)
  assert.deepEqual(readMessage(bytesOf({ kind: 'ask_history', of: 'b' }), dataTopics.signals), { kind: 'ask_history' })
  const aside = { kind: 'chat', text: 'x', isPrivate: 'true' }
  assert.deepEqual(readMessage(bytesOf(aside), dataTopics.chat), { kind: 'chat', text: 'x' })
})
