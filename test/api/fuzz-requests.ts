import type { OpenApiDocument } from '@parley/contract/openapi'
import fc from 'fast-check'
import { changed, follow, hostile, type JsonSchema, valuesOf } from './fuzz-schemas.ts'

export type Sent = {
  /** The intended operation; empty for unknown addresses. */
  operationId: string
  method: string
  target: string
  headers: Record<string, string>
  body: string | Uint8Array | undefined
}

export type Operation = {
  operationId: string
  method: string
  path: string
  parameters: { name: string; in: string; schema: JsonSchema }[]
  body: JsonSchema | undefined
  form: boolean
  responses: Record<string, unknown>
}

/** Existing data for requests: parameters by name, and accounts whose tokens may be revoked. */
export type Known = {
  parameters: Record<string, readonly string[]>
  authorizations: readonly string[]
  /** Valid bodies by operation. */
  bodies: Record<string, readonly object[]>
  /** For operations that end sessions and tokens, or remove rights. */
  expendable: readonly string[]
  expendableParameters: Record<string, readonly string[]>
}

const expendableOnly = new Set([
  'signOut',
  'endSession',
  'endOtherSessions',
  'changePassword',
  'deletePersonalToken',
  'updateAccount',
])

/** The operations of the contract's endpoints: /oauth2/authorize is a page, with stories of its own. */
export function operationsOf(document: OpenApiDocument): Operation[] {
  const endpointPaths = Object.entries(document.paths).filter(([path]) => path !== '/oauth2/authorize')
  return endpointPaths.flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const { operationId, parameters = [], requestBody, responses } = Object(operation)
      return {
        operationId,
        method: method.toUpperCase(),
        path,
        parameters: parameters.map((parameter: unknown) => follow(document, parameter)),
        // Forms are sent as JSON here, which the service must survive; the OAuth stories test their fields.
        body: Object.values<{ schema: JsonSchema }>(requestBody?.content ?? {})[0]?.schema,
        form: requestBody?.content['application/x-www-form-urlencoded'] !== undefined,
        responses,
      }
    }),
  )
}

/** Generate requests of every kind: most of them nearly valid, some of them nonsense. */
export function requestsFor(document: OpenApiDocument, known: Known): fc.Arbitrary<Sent> {
  const each = operationsOf(document).map((operation) => ({
    // Most of the code concerns meetings.
    weight: operation.path.startsWith('/api/meeting') ? 4 : 1,
    arbitrary: requestOf(document, operation, known),
  }))
  return fc.oneof(...each, { weight: 1, arbitrary: strayRequest(known) })
}

function requestOf(document: OpenApiDocument, operation: Operation, known: Known): fc.Arbitrary<Sent> {
  const { operationId, method, path } = operation
  const expendable = expendableOnly.has(operationId)
  const values = expendable ? { ...known.parameters, ...known.expendableParameters } : known.parameters
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return fc
    .record({
      method: usually(19, fc.constant(method), anyMethod),
      parameters: fc.tuple(...names.map((name) => usually(8, known1(values[name] ?? []), oddSegment))),
      query: queryOf(document, operation),
      headers: headersOf(operation, expendable ? known.expendable : known.authorizations),
      body:
        operation.body === undefined
          ? usually(19, fc.constant(undefined), oddBody)
          : bodyOf(document, operation, known),
    })
    .map(({ parameters, query, headers, body, ...rest }) => {
      const segments = Object.fromEntries(names.map((name, at) => [name, parameters[at] ?? '']))
      const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segments[name] ?? '') + query
      const contentType = body === undefined ? {} : { 'content-type': 'application/json' }
      return { operationId, ...rest, target, headers: { ...contentType, ...headers }, body }
    })
}

function usually<Value>(weight: number, usual: fc.Arbitrary<Value>, otherwise: fc.Arbitrary<Value>) {
  return fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: otherwise })
}

const known1 = (values: readonly string[]) => (values.length === 0 ? fc.constant('x') : fc.constantFrom(...values))

const anyMethod = fc.constantFrom(
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'SEARCH',
  'QUERY',
  'MKCOL',
)

/** Path segments, encoded correctly or not. */
const oddSegment = fc.oneof(
  fc.constantFrom(
    '',
    '.',
    '..',
    '%2e%2e',
    '%2F',
    '%00',
    '%',
    '%zz',
    '%ff',
    '%ed%a0%80',
    '__proto__',
    'constructor',
    'null',
    'undefined',
    '-1',
    '0',
    'me',
    ':meetingId',
    '*',
    'a b'.replace(' ', '+'),
    ';a=b',
    '\u00e9',
    '%F0%9F%98%80',
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    'A'.repeat(36),
    '0'.repeat(200),
    '0'.repeat(201),
    'x'.repeat(3_000),
    "'--",
    '{meetingId}',
    '[]',
    '%0d%0aX-A:%20b',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map((text) => encodeURIComponent(text)),
)

function queryOf(document: OpenApiDocument, { parameters }: Operation): fc.Arbitrary<string> {
  const own = parameters.filter((parameter) => parameter.in === 'query')
  const each = own.map(({ name, schema }) => {
    const pair = usually(8, valuesOf(document, schema), hostile).map((value) => `${name}=${asQueryValue(value)}`)
    return fc.option(pair, { nil: undefined, freq: 1 })
  })
  const pairs = fc.tuple(...each).map((list) => list.filter((pair) => pair !== undefined).join('&'))
  return usually(9, pairs, oddQuery(own[0]?.name ?? 'limit')).map((text) => (text === '' ? '' : `?${text}`))
}

/** Only characters that are possible in a request line; lone surrogates cannot be encoded. */
const asQueryValue = (value: unknown) =>
  encodeURIComponent((typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed()).slice(0, 2_000)

const oddQuery = (name: string) =>
  fc
    .constantFrom(
      '',
      '&&&',
      '=',
      '==',
      `${name}`,
      `${name}=`,
      `${name}=1&${name}=2`,
      `${name}[]=1`,
      `${name}[a]=1`,
      '%',
      '%zz',
      `${name}=%`,
      `${name}=%ff`,
      `${name}=%00`,
      `${name}=%ED%A0%80`,
      `${name}=1e3`,
      `${name}=0x10`,
      `${name}=١`,
      '__proto__=1',
      '__proto__[polluted]=1',
      'constructor[prototype][polluted]=1',
      'toString=1',
      'after=.',
      'after=e30',
      `${name}=${'9'.repeat(400)}`,
      `q=${'a'.repeat(3_900)}`,
      `q=${'a'.repeat(5_000)}`,
      '?'.repeat(50),
      'a&'.repeat(1_500),
    )
    .map((text) => text.replaceAll(/[^!-~]/gu, encodeURIComponent))

function headersOf({ parameters }: Operation, authorizations: readonly string[]) {
  const header = (name: string) => parameters.some((one) => one.in === 'header' && one.name === name)
  return fc
    .record({
      authorization: usually(9, fc.constantFrom<string | undefined>(...authorizations), oddAuthorization),
      'idempotency-key': header('Idempotency-Key') ? fc.option(idempotencyKey, { nil: undefined }) : absent,
      'if-match': header('If-Match') ? fc.option(tag, { nil: undefined, freq: 2 }) : absent,
      'if-none-match': header('If-None-Match') ? fc.option(tag, { nil: undefined, freq: 2 }) : absent,
      'content-type': usually<string | undefined>(19, absent, oddContentType),
      other: usually<Record<string, string>>(14, fc.constant({}), fc.constantFrom(...oddHeaders)),
    })
    .map(({ other, ...named }) => ({
      ...Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)),
      ...other,
    })) as fc.Arbitrary<Record<string, string>>
}

const absent = fc.constant(undefined)

const oddAuthorization = fc.constantFrom<string | undefined>(
  undefined,
  '',
  'Bearer',
  'Bearer ',
  'bearer x',
  'Basic YTpi',
  'Bearer  a  b',
  'Bearer null',
  'x'.repeat(8_000),
  'Bearer \u00e9\u00ff',
  'parley_',
  'Bearer prl_s_',
  ', Bearer a',
  '\t',
  'Bearer %00',
  `Bearer ${'A'.repeat(43)}`,
)

/** Few keys, so that one key is used with different bodies. */
const idempotencyKey = fc.oneof(
  fc.constantFrom('1', '2', '3', 'a'.repeat(255), 'a'.repeat(256), '', ' ', '\u00e9', '"quoted"', 'a,b'),
  fc.uuid(),
)

const tag = fc.constantFrom('"v0"', '"v1"', '*', 'W/"v0"', '"v0", "v1"', '', '"', 'v0', ',', 'x'.repeat(5_000))

const oddContentType = fc.constantFrom(
  '',
  'text/plain',
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'APPLICATION/JSON',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/problem+json',
  'json',
  '/',
  ';',
  'application/json, text/plain',
  'application/jsonx',
  '__proto__',
  'application/xml',
  'application/json; a="\\"',
)

const oddHeaders: Record<string, string>[] = [
  { accept: 'text/html' },
  { accept: 'application/xml;q=0.1, */*;q=0' },
  { 'accept-encoding': 'gzip;q=0, *;q=0' },
  { expect: '100-continue' },
  { expect: '200-maybe' },
  { host: 'evil.example' },
  { host: '' },
  { host: 'a b' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { cookie: 'parley_session=x' },
  { cookie: '__Host-parley_session=x; parley_session=; =; ;;' },
  { cookie: `a=${'b'.repeat(7_000)}` },
  { 'x-forwarded-for': '1.2.3.4, unknown, ::1' },
  { 'x-forwarded-for': 'x'.repeat(4_000) },
  { 'x-http-method-override': 'DELETE' },
  { 'user-agent': '\u00e9'.repeat(3_000) },
  { 'user-agent': '' },
  { connection: 'close' },
  { connection: 'upgrade', upgrade: 'websocket' },
  { upgrade: 'h2c', connection: 'Upgrade, HTTP2-Settings', 'http2-settings': 'AAMAAABkAAQAAP__' },
  { 'transfer-encoding': 'chunked' },
  { 'if-none-match': '*' },
  { range: 'bytes=0-1' },
  { 'content-encoding': 'gzip' },
  { te: 'trailers' },
  { __proto__x: 'y' },
]

function bodyOf(
  document: OpenApiDocument,
  { operationId, body = {} }: Operation,
  known: Known,
): fc.Arbitrary<Sent['body']> {
  const sensible = known.bodies[operationId] ?? []
  const formal = valuesOf(document, body)
  const sound =
    sensible.length === 0
      ? formal
      : fc.oneof({ weight: 1, arbitrary: formal }, { weight: 3, arbitrary: fc.constantFrom<unknown>(...sensible) })
  const asText = (value: unknown) => JSON.stringify(value) ?? ''
  return fc.oneof(
    { weight: 5, arbitrary: sound.map(asText) },
    { weight: 8, arbitrary: changed(sound).map(asText) },
    { weight: 1, arbitrary: hostile.map(asText) },
    { weight: 1, arbitrary: fc.tuple(sound.map(asText), fc.nat(), fc.string({ maxLength: 3 })).map(damaged) },
    { weight: 1, arbitrary: oddBody },
  )
}

function damaged([text, at, by]: [string, number, string]): string {
  const cut = at % (text.length + 1)
  return at % 2 === 0 ? text.slice(0, cut) : text.slice(0, cut) + by + text.slice(cut)
}

const oddBody: fc.Arbitrary<Sent['body']> = fc.oneof(
  fc.constantFrom<Sent['body']>(
    '',
    ' ',
    'null',
    'undefined',
    'NaN',
    '0',
    '"',
    '"text"',
    '[]',
    '{}',
    '{',
    '}',
    '{"a":1,}',
    "{'a':1}",
    '{"a":1}{',
    '\ufeff{}',
    '{"topic":"a","topic":"b"}',
    '{"__proto__":{"polluted":true}}',
    '1e999',
    '-',
    '"\\ud800"',
    '"\\x"',
    '{"topic":1e400}',
    '{"\\u0000":0}',
    '[1',
    'true false',
    '/**/{}',
    '{"a":0123}',
    'a=b&c=d',
    '<a/>',
    '\0',
    '{"":""}',
    '['.repeat(20_000),
    '{"a":'.repeat(5_000),
    '"'.padEnd(100_000, 'a'),
    `[${'0,'.repeat(30_000)}0]`,
    new Uint8Array([0xff, 0xfe, 0x7b, 0x00]),
    new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]),
    new Uint8Array([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
    new Uint8Array([0x1f, 0x8b, 0x08, 0x00]),
    new Uint8Array(64),
  ),
  fc.uint8Array({ maxLength: 60 }),
)

/** Unknown addresses, and addresses similar to known ones. */
const strayRequest = (known: Known): fc.Arbitrary<Sent> =>
  fc
    .record({
      method: anyMethod,
      target: fc.oneof(
        fc.constantFrom(
          '/',
          '//',
          '/api',
          '/api/',
          '/api/meeting/',
          '/API/meeting',
          '/api//meeting',
          '/api/meeting/../meeting',
          '/*',
          '/openapi.json',
          '/openapi.json?x',
          '/reference',
          '/reference/',
          '/reference/start.js',
          '/reference/../x',
          '/favicon.ico',
          '/.env',
          '/api/meeting%2f',
          '/api/meeting;x',
          '/%',
          '/%00',
          '/%c0%af',
          '/healthz/',
          '/healthz#a',
          '/problems/',
          '/problems/__proto__',
          '/problems/toString',
          '/problems/%20',
          `/${'a'.repeat(4_090)}`,
          `/${'a'.repeat(5_000)}`,
          `/${'a/'.repeat(2_000)}`,
          '/api/meeting/a/b/c/d',
          'http://evil.example/api/meeting',
        ),
        oddSegment.map((segment) => `/api/${segment}`),
      ),
      headers: fc.constantFrom(...known.authorizations).map((authorization) => ({ authorization })),
      body: fc.constant(undefined),
    })
    .map((sent) => ({ operationId: 'nobody', ...sent }))
