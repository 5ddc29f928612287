import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFor, readResource, resourceIdentifier } from './resource.ts'

const base = 'https://meet.example.org'

const known = [
  [[], undefined],
  [[''], undefined],
  [['https://meet.example.org'], 'api'],
  [['https://meet.example.org/'], 'api'],
  [['https://meet.example.org/mcp'], 'mcp'],
  [['https://meet.example.org/mcp/'], 'mcp'],
  [['', 'https://meet.example.org/mcp'], 'mcp'],
] as const
for (const [sent, resource] of known) {
  test(`resource ${JSON.stringify(sent)} is ${resource ?? 'not named'}`, () => {
    assert.deepEqual(readResource(sent, base), { kind: 'read', resource })
  })
}

const unknown = [
  'https://meet.example.org//',
  'https://meet.example.org/api',
  'https://meet.example.org/MCP',
  'https://meet.example.org/mcp?',
  'https://meet.example.org/mcp#tools',
  'https://meet.example.org/mcp/x',
  'https://Meet.example.org/mcp',
  'https://meet.example.org:443/mcp',
  'http://meet.example.org/mcp',
  'https://other.example/mcp',
  '/mcp',
  'mcp',
  ' https://meet.example.org/mcp',
]
for (const identifier of unknown) {
  test(`${identifier} is no resource`, () => {
    assert.deepEqual(readResource([identifier], base), {
      kind: 'refused',
      cause: 'resource must be https://meet.example.org or https://meet.example.org/mcp',
    })
  })
}

test('tokens are for one resource', () => {
  const both = [resourceIdentifier('api', base), resourceIdentifier('mcp', base)]
  for (const sent of [both, [both[1], both[1]]] as string[][]) {
    assert.deepEqual(readResource(sent, base), {
      kind: 'refused',
      cause: 'resource was sent more than once; tokens are for one resource',
    })
  }
})

test('tokens without a resource are for the REST API', () => {
  assert.deepEqual([isFor(null, 'api'), isFor(null, 'mcp')], [true, false])
  assert.deepEqual([isFor('api', 'api'), isFor('api', 'mcp')], [true, false])
  assert.deepEqual([isFor('mcp', 'api'), isFor('mcp', 'mcp')], [false, true])
})
