import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEventReader, EventTooLong, maxEventCharacters } from './event-stream.ts'

const dataOf = (...pieces: readonly string[]) => {
  const read = createEventReader()
  return pieces.flatMap((piece) => read(piece)).flatMap(({ data }) => data ?? [])
}

const streams: [what: string, stream: string, data: string[]][] = [
  ['one event', 'data: one\n\n', ['one']],
  ['two events', 'data: one\n\ndata: two\n\n', ['one', 'two']],
  ['CRLF', 'data: one\r\n\r\ndata: two\r\n\r\n', ['one', 'two']],
  ['CR alone', 'data: one\r\rdata: two\r\r', ['one', 'two']],
  ['all ends of lines mixed', 'data: a\r\ndata: b\rdata: c\n\r\n', ['a\nb\nc']],
  ['several lines of data', 'data: one\ndata:\ndata: three\n\n', ['one\n\nthree']],
  ['no space, and one space of two', 'data:one\ndata:  two\n\n', ['one\n two']],
  ['a field without a colon', 'data\n\n', ['']],
  ['comments', ': hello\n:\n\ndata: one\n: in between\n\n', ['one']],
  ['fields that are not ours', 'event: news\nid: 7\nfoo: bar\ndata: one\n\n', ['one']],
  ['an id alone', 'id: 7\n\ndata: one\n\n', ['one']],
  ['a name that only begins like ours', 'datax: no\n\ndata: one\n\n', ['one']],
  ['events without data', 'event: news\n\n\n\n', []],
  ['a byte order mark, once', '\uFEFFdata: \uFEFFone\n\n', ['\uFEFFone']],
  ['an event that has not ended', 'data: one\n\ndata: two\n', ['one']],
  ['colons in data', 'data: {"a":"b: c"}\n\n', ['{"a":"b: c"}']],
]
for (const [what, stream, data] of streams) {
  test(`parses ${what}, in one chunk, in any two chunks, and in chunks of one character`, () => {
    assert.deepEqual(dataOf(stream), data)
    assert.deepEqual(dataOf(...stream), data)
    for (let at = 0; at <= stream.length; at++) {
      assert.deepEqual(dataOf(stream.slice(0, at), '', stream.slice(at)), data, `cut at ${at}`)
    }
  })
}

test('an id belongs to its event, and may come without data; one with a null character is no id', () => {
  const read = createEventReader()
  const events = read('id: 1\ndata: one\n\ndata: two\n\nid: 3\n\nid\n\nevent: news\n\nid: \0\ndata: four\n\n')
  assert.deepEqual(
    events.map(({ id, data }) => [id, data]),
    [
      ['1', 'one'],
      [undefined, 'two'],
      ['3', undefined],
      ['', undefined],
      [undefined, 'four'],
    ],
  )
})

test('a numeric retry time applies to all events after it', () => {
  const read = createEventReader()
  const events = read('data: one\n\nretry: 1000\ndata: two\n\nretry: soon\nretry:-1\nretry: 99999999\ndata: three\n\n')
  assert.deepEqual(
    events.map(({ retryMs }) => retryMs),
    [undefined, 1000, 1000],
  )
})

test('an event has at most 1,048,576 characters, in one line or in several', () => {
  const whole = 'x'.repeat(maxEventCharacters - 'data:'.length)
  assert.equal(dataOf(`data:${whole}`, '\n\n')[0]?.length, whole.length)
  assert.throws(() => dataOf(`data:${whole}x`), EventTooLong)
  const lines = `data:${'x'.repeat(1024)}\n`.repeat(1024)
  assert.equal(dataOf(lines, '\n').length, 1)
  assert.throws(() => dataOf(lines, 'data'), EventTooLong)
})
