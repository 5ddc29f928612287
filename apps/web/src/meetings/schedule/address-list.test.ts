import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAddressList, withoutDoubles, wrongAddresses } from './address-list.ts'

const cases: [string, string[]][] = [
  ['', []],
  [' , ;\n', []],
  ['bob@example.org', ['bob@example.org']],
  ['bob@example.org, carol@example.org;dan@example.org', ['bob@example.org', 'carol@example.org', 'dan@example.org']],
  ['bob@example.org\r\ncarol@example.org\n', ['bob@example.org', 'carol@example.org']],
  ['bob@example.org carol@example.org', ['bob@example.org', 'carol@example.org']],
  ['Bob Builder <bob@example.org>, <carol@example.org>', ['Bob Builder <bob@example.org>', 'carol@example.org']],
  [
    '"Builder, Bob" <bob@example.org>; "Carol" <carol@example.org>',
    ['"Builder, Bob" <bob@example.org>', 'Carol <carol@example.org>'],
  ],
  ['bob@example.org, Bob <BOB@example.org>', ['Bob <bob@example.org>']],
  ['"bob@example.org" <bob@example.org>', ['bob@example.org']],
  ['See https://bank.example <bob@example.org>', ['bob@example.org']],
  ['Bob <mailto:bob@example.org>', ['Bob <bob@example.org>']],
  ['Bob bob@example.org', ['bob@example.org']],
  ['mailto:bob@example.org', ['bob@example.org']],
  ['Bob@Example.org, bob@example.org', ['Bob@Example.org']],
  ['Bob Builder, bob@, carol@example.org', ['Bob Builder', 'bob@', 'carol@example.org']],
]

for (const [text, addresses] of cases) {
  test(`reads ${JSON.stringify(text)}`, () => assert.deepEqual(readAddressList(text), addresses))
}

test('reports invalid addresses', () => {
  assert.deepEqual(wrongAddresses(['bob@example.org', 'Bob Builder', 'bob@']), ['Bob Builder', 'bob@'])
})

test('keeps the first of repeated addresses, ignoring case', () => {
  const added = withoutDoubles(['bob@example.org', 'carol@example.org', 'BOB@Example.org'])
  assert.deepEqual(added, ['bob@example.org', 'carol@example.org'])
})
