import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readQueryRange } from './query-range.ts'

const nine = '2026-11-23T09:00:00Z'
const ten = '2026-11-23T10:00:00Z'
const omitted = new Date(nine)

type Case = readonly [string, string | undefined, string | undefined, Date | undefined, object]
const cases: readonly Case[] = [
  ['neither end', undefined, undefined, undefined, { from: undefined, to: undefined }],
  ['both ends', nine, ten, undefined, { from: new Date(nine), to: new Date(ten) }],
  ['one end', undefined, ten, undefined, { from: undefined, to: new Date(ten) }],
  ['a start that means now', undefined, undefined, omitted, { from: omitted, to: undefined }],
  ['a start that is sent', ten, undefined, omitted, { from: new Date(ten), to: undefined }],
  [
    'a range of a second',
    nine,
    '2026-11-23T09:00:01Z',
    undefined,
    { from: new Date(nine), to: new Date(`${nine.slice(0, -2)}1Z`) },
  ],
  ['an empty range', nine, nine, undefined, ['/to not_after_start']],
  ['a reversed range', ten, nine, undefined, ['/to not_after_start']],
  ['an end before the omitted start', undefined, nine, omitted, ['/to not_after_start']],
  ['two texts', 'today', 'tomorrow', undefined, ['/from bad_format', '/to bad_format']],
  ['a text and a time', 'today', nine, omitted, ['/from bad_format']],
]
for (const [name, from, to, ifOmitted, expected] of cases) {
  test(`range: ${name}`, () => {
    const start = { name: 'from', text: from, ...(ifOmitted && { omitted: ifOmitted }) }
    const { value, violations } = readQueryRange(start, { name: 'to', text: to })
    assert.deepEqual(value ?? violations?.map(({ path, code }) => `${path} ${code}`), expected)
  })
}
