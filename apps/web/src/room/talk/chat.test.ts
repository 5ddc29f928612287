import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addChatLine, type Chat, emptyChat, mostChatLines } from './chat.ts'

const line = (text: string, own = false) => ({ personId: own ? 'me' : 'ann', name: 'Ann', own, text, atMs: 0 })

test('lines of others are unread while the chat is closed, and one’s own never are', () => {
  const chat = addChatLine(addChatLine(emptyChat, line('Hi'), false), line('Hello', true), false)
  assert.equal(chat.unread, 1)
  assert.deepEqual(
    chat.lines.map(({ text }) => text),
    ['Hi', 'Hello'],
  )
  assert.equal(addChatLine(chat, line('All well?'), true).unread, 0)
})

test('the oldest lines go, and the numbers of the others stay', () => {
  const full = Array.from({ length: mostChatLines }, (_, at) => `${at}`).reduce<Chat>(
    (chat, text) => addChatLine(chat, line(text), false),
    emptyChat,
  )
  assert.equal(full.lines[0]?.text, '0')
  const { lines, unread } = addChatLine(full, line('one more'), false)
  assert.equal(lines.length, mostChatLines)
  assert.equal(unread, mostChatLines)
  assert.deepEqual([lines[0]?.text, lines[0]?.id, lines.at(-1)?.id], ['1', 2, mostChatLines + 1])
})
