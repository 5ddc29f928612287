import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Endpoint, endpoints, eventTypes } from '@parley/contract'
import { type ComparedContract, type ContractSchema, listBreakingChanges } from './breaking-changes.ts'

const endpoint = (body: ContractSchema, reply: ContractSchema, others: object = {}) =>
  ({ name: 'do', method: 'POST', path: '/do', access: 'meeting:read', body, reply, ...others }) as unknown as Endpoint
const contract = (...all: Endpoint[]): ComparedContract => ({ endpoints: all, eventTypes: {} })
const object = (properties: Record<string, ContractSchema>, required: readonly string[] = []): ContractSchema => ({
  type: 'object',
  properties,
  required,
})
const text: ContractSchema = { type: 'string' }
const colour: ContractSchema = { type: 'string', enum: ['red', 'blue'] }

test('the contract does not break itself', () => {
  assert.deepEqual(listBreakingChanges({ endpoints, eventTypes }, { endpoints, eventTypes }), [])
})

type Row = readonly [what: string, was: ContractSchema, is: ContractSchema, found: string[]]

const requests: readonly Row[] = [
  ['a further optional field', object({ a: text }), object({ a: text, b: text }), []],
  ['a further required field', object({ a: text }), object({ a: text, b: text }, ['b']), ['/body/b is required']],
  ['a field that becomes optional', object({ a: text }, ['a']), object({ a: text }), []],
  ['a field that is gone', object({ a: text }), object({}), ['/body/a is gone']],
  ['a further value', object({ a: colour }), object({ a: { ...colour, enum: ['red', 'blue', 'green'] } }), []],
  ['a value less', object({ a: colour }), object({ a: { ...colour, enum: ['red'] } }), ['/body/a refuses blue']],
  ['values instead of any text', object({ a: text }), object({ a: colour }), ['/body/a takes only some values']],
  ['a type less', object({ a: { type: ['string', 'null'] } }), object({ a: text }), ['/body/a refuses null']],
  ['a new limit', object({ a: text }), object({ a: { ...text, maxLength: 9 } }), ['/body/a maxLength']],
  ['a wider limit', object({ a: { ...text, maxLength: 9 } }), object({ a: { ...text, maxLength: 10 } }), []],
  ['a new form beside', object({ a: text }), object({ a: { oneOf: [text, object({})] } }), []],
  [
    'in a list',
    object({ a: { type: 'array', items: text } }),
    object({ a: { type: 'array', items: colour } }),
    ['/body/a/items takes only some values'],
  ],
]
for (const [what, was, is, found] of requests)
  test(`requests: ${what}`, () => {
    const changes = listBreakingChanges(contract(endpoint(was, text)), contract(endpoint(is, text)))
    assert.deepEqual(
      changes,
      found.map((line) => `do: ${line}`),
    )
  })

const replies: readonly Row[] = [
  ['a further field', object({ a: text }, ['a']), object({ a: text, b: text }, ['a', 'b']), []],
  ['a field that is gone', object({ a: text }), object({}), ['/reply/a is gone']],
  ['a field that may be absent', object({ a: text }, ['a']), object({ a: text }), ['/reply/a may be absent']],
  ['a further value', object({ a: colour }), object({ a: { ...colour, enum: ['red', 'blue', 'green'] } }), []],
  ['null', object({ a: text }), object({ a: { type: ['string', 'null'] } }), ['/reply/a may be null']],
  ['anything', object({ a: text }), object({ a: {} }), ['/reply/a may be anything']],
  [
    'another format',
    object({ a: { ...text, format: 'date-time' } }),
    object({ a: text }),
    ['/reply/a is no longer date-time'],
  ],
  [
    'in a list',
    object({ a: { type: 'array', items: object({ b: text }) } }),
    object({ a: { type: 'array', items: object({}) } }),
    ['/reply/a/items/b is gone'],
  ],
]
for (const [what, was, is, found] of replies)
  test(`replies: ${what}`, () => {
    const changes = listBreakingChanges(contract(endpoint({}, was)), contract(endpoint({}, is)))
    assert.deepEqual(
      changes,
      found.map((line) => `do: ${line}`),
    )
  })

test('endpoints: those that are gone, moved, for others, or with further scopes and statuses', () => {
  const former = endpoint({}, text)
  const found = (others: object, was: object = {}) =>
    listBreakingChanges(contract({ ...former, ...was }), contract({ ...former, ...others } as Endpoint))
  assert.deepEqual(listBreakingChanges(contract(former), contract()), ['do: is gone'])
  assert.deepEqual(found({ path: '/done' }), ['do: is now POST /done'])
  assert.deepEqual(found({ access: 'session' }), ['do: is now for session'])
  assert.deepEqual(found({ access: 'meeting:read' }, { access: 'session' }), [])
  assert.deepEqual(found({ furtherScopes: ['user:read'] }), ['do: needs a further scope'])
  assert.deepEqual(found({ replyStatuses: [200, 202] }), ['do: has a further status 202'])
  assert.deepEqual(found({}, { idempotent: true }), ['do: is no longer idempotent'])
})

test('events: types that are gone, and data that is', () => {
  const { 'meeting.created': created } = eventTypes
  const events = (all: ComparedContract['eventTypes']): ComparedContract => ({ endpoints: [], eventTypes: all })
  const former = events({ 'meeting.created': created })
  assert.deepEqual(listBreakingChanges(former, events({})), ['meeting.created: is gone'])
  const { topic: _, ...others } = created.data.properties
  const withoutTopic = { ...created, data: { ...created.data, properties: others } }
  const changed = events({ 'meeting.created': withoutTopic as unknown as typeof created })
  assert.deepEqual(listBreakingChanges(former, changed), ['meeting.created: /data/topic is gone'])
})
