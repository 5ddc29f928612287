import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as contract from '@parley/contract'
import { endpoints } from '@parley/contract'
import { openapiDocument } from '@parley/contract/openapi'
import { Format } from 'typebox/format'
import Schema from 'typebox/schema'
import { createSessionCookie } from '../apps/server/src/access/credentials/session-cookie.ts'
import { operationsOf } from './fuzz-requests.ts'
import { pointerOf, textsIn } from './request-texts.ts'

// The service removes TypeBox's formats for the whole process, and another test file may have loaded the service
// before.
before(() => Format.Reset())
after(() => Format.Clear())

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const snapshot = file('openapi.json')
const document = openapiDocument({ baseUrl: 'https://meet.example.org', version: '0.1.0' })
const written = `${JSON.stringify(document, null, 2)}\n`

test('the OpenAPI document equals its reviewed snapshot', async () => {
  if (process.env.UPDATE_SNAPSHOTS === '1') await writeFile(snapshot, written)
  const reviewed = await readFile(snapshot, 'utf8')
  assert.equal(written, reviewed, 'UPDATE_SNAPSHOTS=1 npm test test/openapi.test.ts rewrites test/openapi.json')
})

test('a public linter finds neither errors nor warnings', async () => {
  const linter = file('../node_modules/@redocly/cli/bin/cli.js')
  // Without a configuration file, the linter applies all of its strict rules.
  const lintArguments = [linter, 'lint', snapshot, '--extends=recommended-strict', '--format=stylish']
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  await promisify(execFile)(process.execPath, lintArguments, { env: { ...process.env, ...quiet } }).catch(
    ({ stdout, stderr }) => assert.fail(`${stdout}${stderr}`),
  )
})

test('the list of endpoints has every endpoint that the contract exports', () => {
  const isEndpoint = (value: unknown) => Object.hasOwn(Object(value), 'method') && Object.hasOwn(Object(value), 'path')
  const exported = Object.entries(contract).filter(([, value]) => isEndpoint(value))
  assert.deepEqual(exported.map(([name]) => name).sort(), endpoints.map(({ name }) => name).sort())
})

test('the document contains each endpoint once, and nothing else', () => {
  const said = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
  )
  const meant = endpoints.map(({ name, method, path }) => `${name} ${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
  assert.deepEqual(said.toSorted(), meant.toSorted())
})

test('the same contract gives the same document, without fields of TypeBox', () => {
  assert.deepEqual(openapiDocument({ baseUrl: 'https://meet.example.org', version: '0.1.0' }), document)
  const own = [...nodesOf(document)].filter(({ pointer }) => pointer.includes('/~0'))
  assert.deepEqual(own, [])
})

test('the session cookie has the name that the server uses', () => {
  for (const baseUrl of ['https://meet.example.org', 'http://localhost:3000']) {
    const { sessionCookie } = Object(openapiDocument({ baseUrl, version: '0.1.0' }).components.securitySchemes)
    const [name] = createSessionCookie(baseUrl).clear().split('=')
    assert.equal(sessionCookie.name, name)
  }
})

test('each text of a request declares its maximum length', () => {
  const unsaid = operationsOf(document).flatMap((operation) => [
    ...textsIn(document, operation.body ?? {}).filter(
      ({ schema }) => schema.maxLength === undefined && schema.format !== 'email',
    ),
    ...operation.parameters
      .filter(({ in: place, schema }) => place !== 'header' && schema.type === 'string' && schema.enum === undefined)
      .filter(({ schema }) => schema.maxLength === undefined)
      .map(({ name, schema }) => ({ place: [name], schema })),
  ])
  assert.deepEqual(
    unsaid.map(({ place }) => pointerOf(place)),
    [],
  )
})

test('every example is valid under its schema', () => {
  let exampleCount = 0
  for (const { pointer, value } of nodesOf(document)) {
    for (const { schema, example } of examplesOf(value)) {
      assert.deepEqual(violationsOf(schema, example), [], pointer)
      exampleCount++
    }
  }
  assert.ok(exampleCount > 50, `Only ${exampleCount} examples were found`)
})

test('finds an example that is invalid under its schema', () => {
  assert.notDeepEqual(violationsOf({ type: 'string', format: 'date-time' }, 'soon'), [])
  assert.notDeepEqual(violationsOf({ $ref: '#/components/schemas/Problem' }, { title: 'Half a problem' }), [])
})

type Node = { pointer: string; value: Record<string, unknown> }

function* nodesOf(value: unknown, pointer = ''): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  yield { pointer, value: value as Record<string, unknown> }
  for (const [key, inner] of Object.entries(value)) {
    yield* nodesOf(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  }
}

/** A schema's `examples` are values; a media type's have names and may be references. */
function examplesOf(node: Record<string, unknown>): { schema: object; example: unknown }[] {
  if (Array.isArray(node.examples)) return node.examples.map((example) => ({ schema: node, example }))
  if (typeof node.schema !== 'object' || node.schema === null || node.examples === undefined) return []
  const { schema } = node
  return Object.values(Object(node.examples)).map((named) => {
    const { $ref } = Object(named)
    return { schema, example: Object($ref === undefined ? named : at($ref)).value }
  })
}

const at = (reference: string): unknown =>
  reference
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((value, key) => Object(value)[key], document)

/** Add the document's components to the schema, so that references resolve. */
function violationsOf(schema: object, example: unknown): unknown[] {
  const compiled = Schema.Compile({ ...schema, components: document.components })
  const [isValid, errors] = compiled.Errors(example)
  return isValid ? [] : errors
}
