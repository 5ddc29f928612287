import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readJsonObject } from './json-object.ts'

const causeOf = (text: string) => {
  const read = readJsonObject(text)
  return read.kind === 'refused' ? read.cause : undefined
}

test('reads an object with every kind of value', () => {
  const value = { a: 'b', 'c,"d': { e: [1, { a: null }] }, list: ['a', 'a'], '': true, n: -1.5e3 }
  assert.deepEqual(readJsonObject(` ${JSON.stringify(value, undefined, 2)}\n`), { kind: 'read', object: value })
  assert.deepEqual(readJsonObject('{}'), { kind: 'read', object: {} })
})

for (const [text, name] of [
  ['{"client_id":"a","client_id":"b"}', '"client_id"'],
  ['{"client_id":"a","client\\u005fid":"b"}', '"client_id"'],
  ['{"a":{"x":1},"b":[{"c":1}],"a":2}', '"a"'],
  ['{"a":"\\"","b":"\\\\","a":1}', '"a"'],
  ['{"":1, "" :2}', '""'],
] as const) {
  test(`refuses a repeated name: ${text}`, () => assert.equal(causeOf(text), `has the name ${name} more than once`))
}

test('a name may be repeated in inner objects, and as a value', () => {
  for (const text of [
    '{"a":{"b":1},"c":{"b":2}}',
    '{"a":"a","b":"a"}',
    '{"a":["a",{"a":1,"a":2}]}',
    '{"a":"{\\"a\\":1,"}',
  ]) {
    assert.equal(causeOf(text), undefined, text)
  }
})

test('refuses what is no object, or not JSON', () => {
  for (const text of ['[]', 'null', '"a"', '1', 'true']) assert.equal(causeOf(text), 'is not a JSON object')
  for (const text of ['', '{', '{a:1}', "{'a':1}", '{"a":1,}', '<html>', '{}{}', '\ufeff{}', '['.repeat(10_000)]) {
    assert.equal(causeOf(text), 'is not valid JSON', text.slice(0, 20))
  }
})

test('a name of the prototype is a field like others', () => {
  const read = readJsonObject('{"__proto__":{"admin":true},"constructor":1}')
  assert.ok(read.kind === 'read')
  assert.equal(Object.hasOwn(read.object, '__proto__'), true)
  assert.equal(Object(read.object).admin, undefined)
})
