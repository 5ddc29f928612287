import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Endpoint } from '@parley/contract'
import {
  addViolations,
  collect,
  combine,
  type Parsed,
  readRequired,
  refuse,
  refusedBySchema,
} from '@parley/rules/text/parsed'
import { readTimestampField } from '@parley/rules/text/timestamp'
import { violationAt } from '@parley/rules/text/violation'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ProblemError } from '../platform/http/problem.ts'
import { createRequestReader } from './read-request.ts'

/**
 * An endpoint that books a table. The rules need a time, names without digits, and Alice among the first two guests.
 */
const bookTable = {
  name: 'bookTable',
  method: 'POST',
  path: '/api/table',
  tag: 'Meetings',
  summary: 'Book a table',
  access: 'anyone',
  cost: 'light',
  query: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1 })) }),
  body: Type.Object({ at: Type.String(), guests: Type.Array(Type.String({ maxLength: 5 })) }),
  reply: Type.Object({}),
  problems: [],
} as const satisfies Endpoint

const readGuest = (name: string, index: number): Parsed<string> =>
  /\d/.test(name)
    ? refuse(violationAt(`/guests/${index}`, { code: 'digit', message: 'must hold no digits' }))
    : { value: name }

let reads = 0
const readRequest = createRequestReader(bookTable, ({ body: { at, guests } }) => {
  reads++
  const parsed = combine({
    at: readRequired(at, (text) => readTimestampField('/at', text)),
    guests: readRequired(guests, (names) =>
      collect(names.map((guest, index) => readRequired(guest, (name) => readGuest(name, index)))),
    ),
  })
  const isAlice = guests?.slice(0, 2).includes('alice')
  const missing = violationAt('/guests/1', { code: 'no_alice', message: 'must be alice' })
  return addViolations(parsed, isAlice ? undefined : missing)
})

function violationsOf(body: unknown, query: Record<string, string> = {}): string[] {
  try {
    readRequest({ body, query } as FastifyRequest, undefined)
    return []
  } catch (error) {
    assert.ok(error instanceof ProblemError, String(error))
    assert.equal(error.code, 'invalid_request')
    return (error.violations ?? []).map(({ path, code }) => `${path} ${code}`)
  }
}

const at = '2026-11-23T09:00:00Z'

test('reads a request once, into the values that the handler gets', () => {
  reads = 0
  const { input, query, body } = readRequest(
    { body: { at, guests: ['alice'] }, query: { limit: '2' } } as unknown as FastifyRequest,
    undefined,
  )
  assert.deepEqual(input, { at: new Date(at), guests: ['alice'] })
  assert.deepEqual([query, body], [{ limit: 2 }, { at, guests: ['alice'] }])
  assert.equal(reads, 1)
})

type Case = readonly [string, unknown, Record<string, string>, readonly string[]]
const refused: readonly Case[] = [
  [
    'what the schema refuses comes before what read refuses',
    { at: 'soon', guests: ['alice', 'b0b'] },
    { limit: '0' },
    ['/limit too_small', '/at bad_format', '/guests/1 digit'],
  ],
  ['a missing field is reported once', { guests: ['alice'] }, {}, ['/at required']],
  [
    'a refused item hides no other',
    { at, guests: ['toolong', 'b0b'] },
    {},
    ['/guests/0 too_long', '/guests/1 digit', '/guests/1 no_alice'],
  ],
  ['a refused item covers itself', { at, guests: ['bob', 'toolong'] }, {}, ['/guests/1 too_long']],
  ['a refused field covers its items', { at, guests: 'alice' }, {}, ['/guests wrong_type']],
  ['a refused body is not read', [], {}, [' wrong_type']],
  ['an absent body is not read', undefined, {}, [' wrong_type']],
]
for (const [name, body, query, expected] of refused) {
  test(`request: ${name}`, () => assert.deepEqual(violationsOf(body, query), expected))
}

test('requires a reader that refuses what the schema accepts to say why', () => {
  const read = createRequestReader(bookTable, () => refusedBySchema)
  assert.throws(() => read({ body: { at, guests: ['alice'] }, query: {} } as unknown as FastifyRequest, undefined), {
    name: 'TypeError',
    message: 'bookTable: read refused a request without a violation',
  })
})
