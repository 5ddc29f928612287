import assert from 'node:assert/strict'
import { test } from 'node:test'
import { longestChatText, readMessage, writeMessage } from './room-message.ts'

const bytes = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
const dayMs = 24 * 60 * 60_000

const taken = [
  { kind: 'chat', text: 'Hello' },
  { kind: 'chat', text: '<b>https://example.org</b>' },
  { kind: 'chat', text: 'ä'.repeat(longestChatText) },
  { kind: 'hand' },
  { kind: 'hand', raisedForMs: 0 },
  { kind: 'hand', raisedForMs: dayMs },
  { kind: 'reaction', reaction: '👍' },
] as const

for (const message of taken) {
  test(`${JSON.stringify(message).slice(0, 60)} arrives as it was sent`, () =>
    assert.deepEqual(readMessage(writeMessage(message)), message))
}

test('what is around a text is cut off', () =>
  assert.deepEqual(readMessage(bytes({ kind: 'chat', text: ' \n Hi \n', more: 1 })), { kind: 'chat', text: 'Hi' }))

const refused: [string, unknown][] = [
  ['no JSON', 'hello'],
  ['null', 'null'],
  ['a list', []],
  ['no kind', {}],
  ['a kind that is none', { kind: 'mute' }],
  ['a chat without text', { kind: 'chat' }],
  ['a chat of blanks', { kind: 'chat', text: ' \n ' }],
  ['a text that is none', { kind: 'chat', text: { toString: 'x' } }],
  ['a text that is too long', { kind: 'chat', text: 'x'.repeat(longestChatText + 1) }],
  ['a hand from the future', { kind: 'hand', raisedForMs: -1 }],
  ['a hand of the day before', { kind: 'hand', raisedForMs: dayMs + 1 }],
  ['a hand that says nothing', { kind: 'hand', raisedForMs: '5' }],
  ['a reaction that is none', { kind: 'reaction', reaction: '<img>' }],
  ['too many bytes', { kind: 'hand', more: 'x'.repeat(20_000) }],
]

for (const [name, value] of refused) {
  test(`${name} is no message`, () => assert.equal(readMessage(bytes(value)), undefined))
}
