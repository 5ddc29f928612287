import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addViolations,
  collect,
  combine,
  mapParsed,
  type Parsed,
  passed,
  readOptional,
  readRequired,
  refuse,
  refusedBySchema,
} from './parsed.ts'
import { violationAt } from './violation.ts'

const violation = (path: string) => violationAt(path, { code: 'not_allowed', message: 'is not allowed' })
const readEven = (number: number): Parsed<number> =>
  number % 2 === 0 ? { value: number } : refuse(violation(`/${number}`))

const combined: readonly (readonly [string, Parsed<unknown>, Parsed<unknown>])[] = [
  ['no fields', combine({}), { value: {} }],
  ['only values', combine({ one: { value: 1 }, two: { value: null } }), { value: { one: 1, two: null } }],
  ['an absent value', combine({ one: { value: 1 }, two: passed }), { value: { one: 1, two: undefined } }],
  [
    'violations in the order of the fields',
    combine({ a: refuse(violation('/a'), violation('/b')), one: { value: 1 }, c: refuse(violation('/c')) }),
    { violations: [violation('/a'), violation('/b'), violation('/c')] },
  ],
  ['a field that the schema has refused', combine({ a: refusedBySchema, one: { value: 1 } }), { violations: [] }],
  [
    'a field that the schema has refused beside a violation',
    combine({ a: refusedBySchema, b: refuse(violation('/b')) }),
    { violations: [violation('/b')] },
  ],
  ['an empty list', collect([]), { value: [] }],
  ['a list', collect([2, 4].map(readEven)), { value: [2, 4] }],
  ['a list with violations', collect([2, 3, 5].map(readEven)), { violations: [violation('/3'), violation('/5')] }],
  ['a list with a refused item', collect<number>([{ value: 2 }, refusedBySchema]), { violations: [] }],
  ['a mapped value', mapParsed(readEven(2), String), { value: '2' }],
  ['a mapped violation', mapParsed(readEven(3), String), { violations: [violation('/3')] }],
  ['a condition that holds', addViolations(readEven(2), undefined), { value: 2 }],
  ['a condition that does not hold', addViolations(readEven(2), violation('/2')), { violations: [violation('/2')] }],
  [
    'conditions after the violations of the fields',
    addViolations(readEven(3), undefined, violation('/a')),
    { violations: [violation('/3'), violation('/a')] },
  ],
  ['a required field', readRequired(2, readEven), { value: 2 }],
  ['a required field that the schema has refused', readRequired(undefined, readEven), { violations: [] }],
  ['an optional field', readOptional(3, readEven), { violations: [violation('/3')] }],
  ['an omitted field', readOptional(undefined, readEven), { value: undefined }],
]
for (const [name, found, expected] of combined) {
  test(`reading: ${name}`, () => assert.deepEqual(found, expected))
}
