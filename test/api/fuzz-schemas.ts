import fc from 'fast-check'
import { anyCharacter } from '../helpers/random-characters.ts'

/** JSON Schema as far as our own document uses it, with references to `components`. */
export type JsonSchema = {
  $ref?: string
  type?: string | string[]
  format?: string
  const?: unknown
  enum?: unknown[]
  oneOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  minimum?: number
  maximum?: number
  maxLength?: number
}

/** Resolve a reference such as `#/components/schemas/Meeting` in the document. */
export function follow<Found>(document: unknown, value: Found): Found {
  const { $ref } = Object(value)
  if (typeof $ref !== 'string') return value
  return $ref
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((inner, key) => Object(inner)[key], document) as Found
}

const times = fc
  .date({ min: new Date('2025-01-01T00:00:00Z'), max: new Date('2032-12-31T23:59:59Z'), noInvalidDate: true })
  .map((date) => date.toISOString())
const addresses = fc.constantFrom('alice@example.org', 'bob@example.org', 'Carol@Example.org', 'x@y.museum')
const texts = fc.oneof(
  fc.constantFrom('IST', 'Europe/London', 'Stand-up', '23456789', '+05:30', 'correct horse battery staple'),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
)

/** Generate values that a schema accepts; the rules may still refuse them. */
export function valuesOf(document: unknown, written: JsonSchema): fc.Arbitrary<unknown> {
  const schema = follow(document, written)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.oneOf !== undefined) return fc.oneof(...schema.oneOf.map((branch) => valuesOf(document, branch)))
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => valuesOf(document, { ...schema, type })))
  switch (schema.type) {
    case 'string':
      if (schema.format === 'date-time') return times
      return schema.format === 'email' ? addresses : texts
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 40 })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(valuesOf(document, schema.items ?? {}), { maxLength: 7 })
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, property]) => [name, valuesOf(document, property)]),
        ),
        { requiredKeys: schema.required ?? [] },
      )
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

const nested = (depth: number, open: string, close: string): unknown =>
  JSON.parse(`${open.repeat(depth)}0${close.repeat(depth)}`)

/** Hostile values. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    '',
    ' ',
    0,
    -0,
    -1,
    1.5,
    1e21,
    1e308,
    -1e308,
    2 ** 31,
    2 ** 53,
    2 ** 63,
    5e-324,
    [],
    {},
    [[]],
    [null],
    'null',
    'true',
    '[object Object]',
    '__proto__',
    'constructor',
    'nul\0here',
    '\ud800',
    '\udfff tail',
    '\u202eright to left',
    '\ufeff',
    '\u0007\u001b[31m',
    '\r\nSet-Cookie: a=b',
    "'; drop table meeting; --",
    '%00',
    '../../etc/passwd',
    '😀'.repeat(300),
    'e\u0301'.repeat(200),
    'ﷺ'.repeat(251),
    'a'.repeat(250),
    'a'.repeat(251),
    'a'.repeat(10_000),
    'a'.repeat(10_001),
    '2026-02-29T00:00:00Z',
    '2026-12-31T23:59:60Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '+275760-09-13T00:00:00Z',
    '-271821-04-20T00:00:00Z',
    '10000-01-01T00:00:00Z',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00:00.000000001+23:59',
    '2026-01-01T24:00:00Z',
    'a@b',
    `${'a'.repeat(64)}@${'b'.repeat(190)}`,
    'Asia/Nowhere',
    'Etc/GMT+14',
    '+99:99',
    { email: 1 },
    { email: { email: 'a@example.org' } },
    JSON.parse('{"__proto__": {"polluted": true}}'),
    JSON.parse('{"constructor": {"prototype": {"polluted": true}}}'),
    { toString: 1, valueOf: null, hasOwnProperty: [], length: -1 },
    { toJSON: 'x' },
    nested(15, '[', ']'),
    nested(17, '{"a":', '}'),
    nested(3_000, '[', ']'),
    Array.from({ length: 1_001 }, (_, at) => `p${at}@example.org`),
    Array.from({ length: 300 }, () => ({ email: 3 })),
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.double(),
)

/** Change, remove or insert one item of a value at any depth. */
export function changed(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const change = fc.record({
    at: fc.nat(),
    way: fc.constantFrom('replace', 'replace', 'replace', 'leave out', 'put in'),
    name: fc.constantFrom('__proto__', 'constructor', 'prototype', 'hasOwnProperty', '', 'a/b~c', '0', 'toJSON'),
    by: hostile,
  })
  return fc.tuple(value, fc.array(change, { minLength: 1, maxLength: 3 })).map(([sound, changes]) =>
    changes.reduce((before, { at, way, name, by }) => {
      const places = placesIn(before)
      const place = places[at % places.length] ?? []
      if (way === 'put in') return withAt(before, [...place, name], by)
      return withAt(before, place, way === 'replace' ? by : undefined)
    }, sound),
  )
}

export type Place = readonly (string | number)[]

/** List every path in a value, the root first; depths beyond a limit are skipped. */
export function placesIn(value: unknown, place: Place = []): Place[] {
  if (typeof value !== 'object' || value === null || place.length > 8) return [place]
  const entries = Array.isArray(value) ? value.slice(0, 20).entries() : Object.entries(value)
  return [place, ...[...entries].flatMap(([key, inner]) => placesIn(inner, [...place, key]))]
}

/**
 * Copy the value with another value at a path, or without it where `by` is undefined; `__proto__` is an ordinary key.
 */
export function withAt(value: unknown, place: Place, by: unknown): unknown {
  const [key, ...rest] = place
  if (key === undefined) return by
  if (Array.isArray(value)) {
    const at = Number(key)
    const next = withAt(value[at], rest, by)
    if (!(at >= 0 && at < value.length)) return value
    return next === undefined ? value.toSpliced(at, 1) : value.with(at, next)
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([name]) => name !== key)
  const next = withAt(Object.hasOwn(value, key) ? Object(value)[key] : undefined, rest, by)
  return Object.fromEntries(next === undefined ? entries : [...entries, [String(key), next]])
}

/** Find the schema of the value at a path. */
function schemaAt(document: unknown, written: JsonSchema, place: Place): JsonSchema {
  const schema = follow(document, written)
  const [key, ...rest] = place
  if (key === undefined) return schema
  const branches = schema.oneOf?.map((branch) => follow(document, branch)) ?? [schema]
  const inner = branches.map(({ items, properties }) => (typeof key === 'number' ? items : properties?.[key]))
  return schemaAt(document, inner.find((found) => found !== undefined) ?? {}, rest)
}

/** The path at which a violation is reported: for branches of a choice, the path of the choice. */
export function reportedAt(document: unknown, schema: JsonSchema, place: Place): Place {
  const choice = place.findIndex((_, at) => schemaAt(document, schema, place.slice(0, at)).oneOf !== undefined)
  return choice < 0 ? place : place.slice(0, choice)
}

/** The JSON types that are valid at a path. */
export function typesAt(document: unknown, schema: JsonSchema, place: Place): Set<string> {
  const found = schemaAt(document, schema, place)
  return new Set((found.oneOf ?? [found]).flatMap(({ type = [] }) => type))
}

export function isRequired(document: unknown, schema: JsonSchema, place: Place): boolean {
  const holder = schemaAt(document, schema, place.slice(0, -1))
  return (holder.oneOf ?? [holder]).some(({ required = [] }) => required.includes(String(place.at(-1))))
}

export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}
