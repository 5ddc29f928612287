import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { createValidator, findUnknownFields } from './validation.ts'

const schema = Type.Object({
  topic: Type.String(),
  options: Type.Object({ video: Type.Boolean() }),
  people: Type.Array(
    Type.Unsafe({ oneOf: [{ type: 'string' }, { type: 'object', properties: { email: { type: 'string' } } }] }),
  ),
  anything: Type.Object({}, { additionalProperties: true }),
  reasons: Type.Record(Type.String(), Type.String()),
})

const cases: [string, unknown, string[]][] = [
  ['nothing', undefined, []],
  ['a text', 'topic', []],
  ['known fields', { topic: 'a', options: { video: true }, people: ['a', { email: 'a' }] }, []],
  ['an unknown field', { topic: 'a', agenda: 'b' }, ['/agenda']],
  ['one that every object inherits', { constructor: 1, toString: 2 }, ['/constructor', '/toString']],
  ['one of an object inside', { options: { video: true, vidoe: true } }, ['/options/vidoe']],
  ['one of an object in a list', { people: ['a', { email: 'a', name: 'A' }] }, ['/people/1/name']],
  ['a list in place of an object', { options: ['a'] }, []],
  ['objects with any fields', { anything: { a: 1 }, reasons: { b: 'c' } }, []],
  ['names with the characters of pointers', { 'a/b~c': 1 }, ['/a~1b~0c']],
]
for (const [name, value, expected] of cases) {
  test(`unknown fields: ${name}`, () => assert.deepEqual(findUnknownFields([schema], value), expected))
}

test('reports at most a hundred', () => {
  const people = Array.from({ length: 60 }, () => ({ email: 'a', name: 'A', lname: 'B' }))
  assert.equal(findUnknownFields([schema], { people }).length, 100)
})

test('passes no value on of which not all errors are known', () => {
  const validate = createValidator(schema)
  const withPeople = (count: number) =>
    validate({
      topic: 'a',
      options: { video: true },
      anything: {},
      reasons: {},
      people: new Array(count).fill({ email: 3 }),
    })
  const few = withPeople(3)
  assert.deepEqual(Object(few.valid).topic, 'a')
  assert.deepEqual(
    few.violations.map(({ path }) => path),
    ['/people/0', '/people/1', '/people/2'],
  )
  const many = withPeople(1_200)
  assert.equal(many.valid, undefined)
  assert.ok(many.violations.length > 0)
})

test('knows what one of several schemas names, at each place', () => {
  const reply = Type.Object({ id: Type.String(), options: Type.Object({ theme: Type.String() }) })
  const value = {
    id: 'a',
    topic: 'b',
    nick: 'c',
    options: { video: true, theme: 'd', vidoe: true },
    people: [{ x: 1 }],
  }
  assert.deepEqual(findUnknownFields([schema, reply], value), ['/nick', '/options/vidoe', '/people/0/x'])
})
