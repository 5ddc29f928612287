import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readJoinCode } from './read-join-code.ts'

const read = (text: string) => {
  const found = readJoinCode(text, 'meet.example.org')
  return found.kind === 'code' ? [found.code, found.pin] : found
}

test('reads a code in any grouping and any digits', () => {
  for (const text of [
    '9651912175',
    ' 965 191 2175 ',
    '965-191-2175',
    '965\u00a0191\u202f2175',
    '\u2068965 191 2175\u2069',
  ])
    assert.deepEqual(read(text), ['9651912175', undefined], text)
  assert.deepEqual(read('٩٦٥ ١٩١ ٢١٧٥'), ['9651912175', undefined])
  assert.deepEqual(read('९६५ १९१ २१७५'), ['9651912175', undefined])
})

test('reads a PIN after the code', () => {
  assert.deepEqual(read('965 191 2175 ab2cd3'), ['9651912175', 'ab2cd3'])
  assert.deepEqual(read('965 191 2175, PIN: 234abc'), ['9651912175', '234abc'])
})

test('reads a link with its PIN, even within an invitation or without its scheme', () => {
  assert.deepEqual(read('https://meet.example.org/j/9651912175#pin=ab2cd3'), ['9651912175', 'ab2cd3'])
  assert.deepEqual(read('https://MEET.example.org/add/9651912175'), ['9651912175', undefined])
  assert.deepEqual(read('Join: https://meet.example.org/j/9651912175#pin=ab2cd3 Code: 1'), ['9651912175', 'ab2cd3'])
  assert.deepEqual(read('meet.example.org/j/9651912175'), ['9651912175', undefined])
  assert.deepEqual(read('/j/9651912175#pin=x'), ['9651912175', 'x'])
})

test('refuses a link to another service, and text without a code', () => {
  assert.deepEqual(read('https://evil.example/j/9651912175'), { kind: 'elsewhere', host: 'evil.example' })
  assert.deepEqual(read('https://meet.example.org:8443/j/9651912175'), {
    kind: 'elsewhere',
    host: 'meet.example.org:8443',
  })
  for (const text of [
    '',
    '965 191 217',
    '065 191 2175',
    '965 191 2175 1',
    '96519121755',
    'weekly review',
    'https://meet.example.org/meetings',
  ])
    assert.deepEqual(read(text), { kind: 'unreadable' }, text)
})
