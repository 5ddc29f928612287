import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as yieldTurn } from 'node:timers/promises'
import { captionIntervalMs, createCaptions, maxCaptions } from './captions.ts'
import { maxCaptionCharacters, type RoomMessage } from './message.ts'
import { RoomError } from './room-error.ts'

const bob = { id: 'b', name: 'Bob', isMe: false, isGuest: true }
const carol = { id: 'c', name: 'Carol', isMe: true, isGuest: false }

function call(requireSpeech = () => {}) {
  const sent: RoomMessage[] = []
  const sendMessage = async (message: RoomMessage) => void sent.push(message)
  const captions = createCaptions({ sendMessage, me: () => carol, requireSpeech })
  const said = (line: number, text: string, isFinal = false, isTyped = false) =>
    captions.receive(bob, { kind: 'caption', line, text, isFinal, isTyped })
  const lines = () =>
    captions.snapshot().lines.map(({ name, text, isFinal }) => `${name}: ${text}${isFinal ? '.' : '…'}`)
  return { captions, sent, said, lines }
}

function startClock(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  return async (ms: number) => {
    t.mock.timers.tick(ms)
    for (let turn = 0; turn < 5; turn++) await yieldTurn()
  }
}

test('a line changes until it is final, and has the name that the room gives its sender', () => {
  const { said, lines, captions } = call()
  said(1, 'Good')
  said(1, 'Good morning')
  assert.deepEqual(lines(), ['Bob: Good morning…'])
  said(1, 'Good morning', true)
  said(2, 'Shall we')
  assert.deepEqual(lines(), ['Bob: Good morning.', 'Bob: Shall we…'])
  const [{ from, isGuest, isMine, isTyped, language } = assert.fail()] = captions.snapshot().lines
  assert.deepEqual([from, isGuest, isMine, isTyped, language], ['b', true, false, false, null])
})

test('several people, and what one of them says and types, are lines of their own, by their beginnings', () => {
  const { captions, said, lines } = call()
  said(1, 'One')
  captions.receive(
    { ...bob, id: 'd', name: 'Dan' },
    { kind: 'caption', line: 1, text: 'Two', isFinal: false, isTyped: false },
  )
  said(1, 'Three', false, true)
  said(1, 'One more', true)
  assert.deepEqual(lines(), ['Bob: One more.', 'Dan: Two…', 'Bob: Three…'])
})

test('a line that was emptied is gone, and comes back in its place', () => {
  const { said, lines } = call()
  said(1, 'Hello')
  said(1, 'Typing', false, true)
  said(1, '')
  assert.deepEqual(lines(), ['Bob: Typing…'])
  said(1, 'Hi')
  assert.deepEqual(lines(), ['Bob: Hi…', 'Bob: Typing…'])
  said(1, ' ', true)
  assert.deepEqual(lines(), ['Bob: Typing…'])
})

test('a line whose end was lost is final when the next one begins, or when its sender leaves', () => {
  const { captions, said, lines } = call()
  said(1, 'One')
  said(5, 'Two')
  assert.deepEqual(lines(), ['Bob: One.', 'Bob: Two…'])
  captions.removeAllBut(new Set(['b']))
  assert.deepEqual(lines(), ['Bob: One.', 'Bob: Two…'])
  captions.removeAllBut(new Set())
  assert.deepEqual(lines(), ['Bob: One.', 'Bob: Two.'])
  // After a reload, the numbers may be the same.
  said(5, 'Three')
  assert.deepEqual(lines(), ['Bob: One.', 'Bob: Two.', 'Bob: Three…'])
})

test('keeps the last 500 lines', () => {
  const { said, lines } = call()
  for (let line = 0; line <= maxCaptions; line++) said(line, String(line), true)
  assert.deepEqual([lines().length, lines()[0]], [500, 'Bob: 1.'])
})

test('sends a line at most once in an interval, the latest text, and every finished line', async (t) => {
  const pass = startClock(t)
  const { captions, sent, lines } = call()
  const write = (text: string, isFinal = false) => captions.write(text, { isFinal, isTyped: true })
  const texts = () => sent.map((one) => (one.kind === 'caption' ? `${one.text}${one.isFinal ? '.' : '…'}` : one.kind))
  void write('H')
  await pass(1)
  assert.deepEqual(texts(), ['H…'])
  for (const text of ['He', 'Hel', 'Hello']) void write(text)
  await pass(captionIntervalMs - 1)
  assert.deepEqual(texts(), ['H…'])
  await pass(1)
  assert.deepEqual(texts(), ['H…', 'Hello…'])
  void write('Hello', true)
  void write('B')
  void write('Bye', true)
  void write('N')
  await pass(captionIntervalMs)
  assert.deepEqual(texts(), ['H…', 'Hello…', 'Hello.', 'Bye.', 'N…'])
  assert.deepEqual(lines(), ['Carol: Hello.', 'Carol: Bye.', 'Carol: N…'])
  const numbers = new Set(sent.map((one) => (one.kind === 'caption' ? one.line : undefined)))
  assert.equal(numbers.size, 3)
})

test('refuses a line that is too long, and every line of a person who may not speak', async () => {
  const { captions } = call()
  const line = { isFinal: true, isTyped: true }
  await assert.rejects(captions.write('x'.repeat(maxCaptionCharacters + 1), line), { reason: 'message_too_long' })
  const muted = call(() => {
    throw new RoomError('hard_muted')
  })
  await assert.rejects(muted.captions.write('x', line), { reason: 'hard_muted' })
  assert.deepEqual(muted.sent, [])
})

test('knows whether others read captions, and tells them that the caller does', () => {
  const { captions, sent } = call()
  captions.receive(bob, { kind: 'captions_wanted', on: true })
  captions.receive({ ...bob, id: 'd' }, { kind: 'captions_wanted', on: true })
  captions.receive(bob, { kind: 'captions_wanted', on: false })
  assert.equal(captions.snapshot().wanted, true)
  captions.removeAllBut(new Set(['b']))
  assert.equal(captions.snapshot().wanted, false)

  const repeated: RoomMessage[] = []
  const repeat = () => captions.repeatWanted(async (message) => void repeated.push(message))
  repeat()
  assert.deepEqual(repeated, [])
  captions.setWanted(true)
  captions.setWanted(true)
  repeat()
  assert.deepEqual([sent.length, repeated], [1, [{ kind: 'captions_wanted', on: true }]])
  captions.setWanted(false)
  repeat()
  assert.deepEqual([sent.at(-1), repeated.length], [{ kind: 'captions_wanted', on: false }, 1])
})
