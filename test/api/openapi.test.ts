import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as contract from '@parley/contract'
import { endpoints, isScope, problems, scopeNames, scopesOf } from '@parley/contract'
import { openapiDocument } from '@parley/contract/openapi'
import sentences from '@parley/texts/en/scopes.json' with { type: 'json' }
import printCompactly from 'json-stringify-pretty-compact'
import { Format } from 'typebox/format'
import { createSessionCookie } from '../../apps/server/src/access/credentials/session-cookie.ts'
import { operationsOf } from './fuzz-requests.ts'
import type { JsonSchema } from './fuzz-schemas.ts'
import { at, document, nodesOf, violationsOf } from './openapi-document.ts'
import { pointerOf, textsIn } from './request-texts.ts'

// The service removes TypeBox's formats for the whole process, and another test file may have loaded the service
// before.
before(() => Format.Reset())
after(() => Format.Clear())

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const snapshot = file('openapi.json')

/**
 * The document as reviewers read it: the errors of an operation are the list of its codes, because their statuses and
 * descriptions follow from the catalogue, which stands once under components.examples.
 */
function toReviewed({ paths, ...rest }: typeof document): object {
  const operations = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, withCodes(operation)])),
  ])
  return { ...rest, paths: Object.fromEntries(operations) }
}

function withCodes(operation: object): object {
  const responses: Record<string, { 'x-codes'?: string[] }> = Object(operation).responses
  const entries = Object.entries(responses)
  const others = entries.filter(([, response]) => response['x-codes'] === undefined)
  const errors = entries.flatMap(([, response]) => response['x-codes'] ?? [])
  return { ...operation, responses: { ...Object.fromEntries(others), 'x-codes': errors.join(' ') } }
}

const written = `${printCompactly(toReviewed(document), { maxLength: 120 })}\n`

test('the OpenAPI document equals its reviewed snapshot', async () => {
  if (process.env.UPDATE_SNAPSHOTS === '1') await writeFile(snapshot, written)
  const reviewed = await readFile(snapshot, 'utf8')
  assert.equal(written, reviewed, 'UPDATE_SNAPSHOTS=1 npm test test/api/openapi.test.ts rewrites test/api/openapi.json')
})

/** Findings of the linter that are as they should be. */
const acceptedFindings = [
  {
    rule: 'operation-2xx-response',
    pointer: '#/paths/~1oauth2~1authorize/get/responses',
    reason: 'The authorization endpoint redirects or shows an error, and has no success of its own (RFC 6749, 4.1.2)',
  },
]

test('a public linter finds neither errors nor warnings', async () => {
  const linter = file('../../node_modules/@redocly/cli/bin/cli.js')
  // Without a configuration file, the linter applies all of its strict rules.
  const folder = await mkdtemp(join(tmpdir(), 'parley-openapi-'))
  const whole = join(folder, 'openapi.json')
  await writeFile(whole, JSON.stringify(document))
  const lintArguments = [linter, 'lint', whole, '--extends=recommended-strict', '--format=json']
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const options = { env: { ...process.env, ...quiet }, maxBuffer: 2 ** 26 }
  const { stdout } = await promisify(execFile)(process.execPath, lintArguments, options).catch((failed) => failed)
  await rm(folder, { recursive: true })
  const { problems } = JSON.parse(stdout)
  const found = Array.from<{ ruleId: string; location: { pointer: string }[] }>(problems)
  assert.deepEqual(
    found.map(({ ruleId, location }) => ({ rule: ruleId, pointer: location[0]?.pointer })),
    acceptedFindings.map(({ rule, pointer }) => ({ rule, pointer })),
  )
})

test('the list of endpoints has every endpoint that the contract exports', () => {
  const isEndpoint = (value: unknown) => Object.hasOwn(Object(value), 'method') && Object.hasOwn(Object(value), 'path')
  const exported = Object.entries(contract).filter(([, value]) => isEndpoint(value))
  assert.deepEqual(exported.map(([name]) => name).sort(), endpoints.map(({ name }) => name).sort())
})

test('the document contains each endpoint once, the authorization page, and nothing else', () => {
  const said = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
  )
  const meant = endpoints.map(({ name, method, path }) => `${name} ${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
  assert.deepEqual(said.toSorted(), [...meant, 'authorize GET /oauth2/authorize'].toSorted())
})

test('the same contract gives the same document, without fields of TypeBox', () => {
  assert.deepEqual(openapiDocument({ baseUrl: 'https://meet.example.org', version: '1.0.0-rc.1' }), document)
  const own = [...nodesOf(document)].filter(({ pointer }) => pointer.includes('/~0'))
  assert.deepEqual(own, [])
})

test('the session cookie has the name that the server uses', () => {
  for (const baseUrl of ['https://meet.example.org', 'http://localhost:3000']) {
    const { sessionCookie } = Object(openapiDocument({ baseUrl, version: '1.0.0-rc.1' }).components.securitySchemes)
    const [name] = createSessionCookie(baseUrl).clear().split('=')
    assert.equal(sessionCookie.name, name)
  }
})

const schemasOf = (document.components.schemas ?? {}) as Record<string, JsonSchema>

/** The named schemas that a part of the document refers to, directly or by others. */
function namesIn(part: unknown, found = new Set<string>()): Set<string> {
  for (const { value } of nodesOf(part)) {
    const [, name] = /^#\/components\/schemas\/(\w+)$/.exec(String(value.$ref)) ?? []
    if (name === undefined || found.has(name)) continue
    found.add(name)
    namesIn(schemasOf[name], found)
  }
  return found
}

test('every JSON body is a named schema', () => {
  const bodies = [...nodesOf([document.paths, document.webhooks])].filter(
    ({ pointer, value }) =>
      /\/content\/application~1(json|problem\+json|x-www-form-urlencoded)$/.test(pointer) && value.schema !== undefined,
  )
  assert.ok(bodies.length > 500, `${bodies.length}`)
  const unnamed = bodies.filter(({ value }) => Object(value.schema).$ref === undefined)
  assert.deepEqual(
    unnamed.map(({ pointer }) => pointer),
    [],
  )
})

test('a schema that is named after an operation belongs to that operation alone', () => {
  const users = new Map<string, string[]>()
  const operations = [document.paths, document.webhooks].flatMap((paths) => Object.values(paths).flatMap(Object.values))
  for (const operation of operations) {
    for (const name of namesIn(operation)) users.set(name, [...(users.get(name) ?? []), String(operation.operationId)])
  }
  const named = endpoints.flatMap(({ name }) => {
    const operation = name.charAt(0).toUpperCase() + name.slice(1)
    return [`${operation}Request`, `${operation}Reply`].map((schema) => ({ name, schema }))
  })
  const shared = named.filter(({ name, schema }) => users.get(schema)?.some((user) => user !== name))
  assert.deepEqual(shared, [], 'Name it after what it is, in packages/contract/src/openapi/named-schemas.ts')
  assert.deepEqual(
    Object.keys(schemasOf).filter((name) => !users.has(name)),
    [],
    'no operation uses these',
  )
})

test('no schema has a default, which generators would make required', () => {
  const withDefault = [...nodesOf(document.components.schemas)].filter(({ value }) => Object.hasOwn(value, 'default'))
  assert.deepEqual(
    withDefault.map(({ pointer }) => pointer),
    [],
  )
})

test('every error is a Problem, or of OAuth a TokenError, and names its codes', () => {
  const responses = [...nodesOf(document)].filter(({ value }) => value['x-codes'] !== undefined)
  assert.ok(responses.length > 500)
  for (const { pointer, value } of responses) {
    if (pointer.endsWith('/properties/code')) continue
    const [{ schema }] = Object.values(Object(value.content)) as [{ schema: { $ref: string } }]
    assert.match(schema.$ref, /^#\/components\/schemas\/(Problem|TokenError)$/, pointer)
  }
  assert.deepEqual(Object(schemasOf.Problem?.properties?.code)['x-codes'], Object.keys(problems))
})

test('apps find the flow and the scopes of OAuth 2.0', () => {
  const { oauth2 } = Object(document.components.securitySchemes)
  const expected = Object.fromEntries(scopeNames.map((scope) => [scope, sentences[scope]]))
  assert.deepEqual(oauth2.flows.authorizationCode.scopes, expected)
  for (const endpoint of endpoints) {
    const { security } = Object(document.paths[endpoint.path.replaceAll(/:(\w+)/g, '{$1}')])[
      endpoint.method.toLowerCase()
    ]
    const forApps = security.find((alternative: object) => Object.hasOwn(alternative, 'oauth2'))?.oauth2
    const needed = scopesOf(endpoint)
    const isForApps = endpoint.access === 'any-scope' || (needed.length > 0 && needed.every(isScope))
    assert.deepEqual(forApps, isForApps ? needed : undefined, endpoint.name)
  }
})

test('every property and every parameter is described', () => {
  const undescribed = [...nodesOf(document)].flatMap(({ pointer, value }) => {
    if (/\/examples(\/|$)/.test(pointer)) return []
    const isParameter = value.in !== undefined && value.schema !== undefined
    const properties = pointer.endsWith('/properties/properties') ? {} : Object(value.properties)
    return [
      ...(isParameter && !isDescribed(value) ? [pointer] : []),
      ...Object.keys(properties)
        .filter((name) => !isDescribed(properties[name]))
        .map((name) => `${pointer}/properties/${name}`),
    ]
  })
  assert.deepEqual(undescribed, [])
  const schemas = Object.keys(schemasOf).filter((name) => !isDescribed(Object(schemasOf[name])))
  assert.deepEqual(schemas, [])
})

/** A property of a named type is described by it. */
function isDescribed({ description, $ref }: Record<string, unknown>): boolean {
  const text = description ?? Object($ref === undefined ? {} : at(String($ref))).description
  return typeof text === 'string' && text.length > 3
}

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
