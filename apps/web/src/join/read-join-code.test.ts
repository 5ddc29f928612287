import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readJoinCode } from './read-join-code.ts'

const read = (text: string) => {
  const found = readJoinCode(text, 'meet.example.org')
  return found.kind === 'code' ? [found.code, found.pin] : found
}

test('a code is read in whatever groups and digits it is typed', () => {
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

test('a PIN behind the code is its PIN', () => {
  assert.deepEqual(read('965 191 2175 ab2cd3'), ['9651912175', 'ab2cd3'])
  assert.deepEqual(read('965 191 2175, PIN: 234abc'), ['9651912175', '234abc'])
})

test('a link is read with its PIN, also out of an invitation and without its beginning', () => {
  assert.deepEqual(read('https://meet.example.org/j/9651912175#pin=ab2cd3'), ['9651912175', 'ab2cd3'])
  assert.deepEqual(read('https://MEET.example.org/add/9651912175'), ['9651912175', undefined])
  assert.deepEqual(read('Join: https://meet.example.org/j/9651912175#pin=ab2cd3 Code: 1'), ['9651912175', 'ab2cd3'])
  assert.deepEqual(read('meet.example.org/j/9651912175'), ['9651912175', undefined])
  assert.deepEqual(read('/j/9651912175#pin=x'), ['9651912175', 'x'])
})

test('a link to another service is refused, and other text is no code', () => {
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
