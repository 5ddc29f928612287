import { untrimmedTooLong } from '@parley/rules/text/plain-text'
import { type Violation, violationAt } from '@parley/rules/text/violation'
import type { TObject, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { Format } from 'typebox/format'
import { Settings } from 'typebox/system'

/** Far deeper than any body of the contract; bounds the walk over hostile nesting. */
const maximumDepth = 16

/** More than a person reads, and few enough that a hostile body cannot cause a large response. */
const maximumViolations = 100

/** The schema reports some violations as several errors, and stops after this many. */
const maximumErrors = 4 * maximumViolations

// The rules validate formats, with better messages; the schema only documents them.
Format.Clear()
Settings.Set({ maxErrors: maximumErrors })

type Validated = {
  violations: Violation[]
  /** The value without its refused parts, so that rules can check the rest; undefined when nothing is left. */
  valid: unknown
}

/** Compiling takes longer than validating a thousand values: endpoints and tools for assistants share schemas. */
const compiledSchemas = new WeakMap<TSchema, ReturnType<typeof Compile>>()

function compile(schema: TSchema) {
  const known = compiledSchemas.get(schema)
  if (known !== undefined) return known
  const compiled = Compile(schema)
  compiledSchemas.set(schema, compiled)
  return compiled
}

/**
 * Create a validator for a schema. The validator removes refused parts from the value in place. The schema is compiled
 * for the first value: a start that compiled the schemas of all endpoints would take half as long again.
 */
export function createValidator(schema: TSchema): (value: unknown) => Validated {
  return (value) => {
    const compiled = compile(schema)
    const malformed = findMalformedText(value, '', 0)
    if (compiled.Check(value) && malformed.length === 0) return { violations: [], valid: value }
    const found = compiled.Errors(value)
    const errors = withoutChoices(found)
    const violations = oncePerPath([...malformed, ...errors.flatMap((error) => violationsOf(error, schema))])
    // The value may have further errors, and parts of the wrong type.
    if (found.length >= maximumErrors || malformed.length >= maximumViolations) return { violations, valid: undefined }
    return { violations, valid: without(value, violations) }
  }
}

/**
 * Find what every field refuses: invalid Unicode (RFC 7493, 2.1), NUL (which PostgreSQL cannot store), excessive
 * nesting.
 */
function findMalformedText(value: unknown, path: string, depth: number): Violation[] {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) {
      return [violationAt(path, { code: 'lone_surrogate', message: `holds half of a surrogate pair` })]
    }
    if (value.includes('\0')) {
      return [violationAt(path, { code: 'control_character', message: `holds a NUL character` })]
    }
    return []
  }
  if (typeof value !== 'object' || value === null) return []
  if (depth >= maximumDepth) {
    return [violationAt(path, { code: 'too_deep', message: `is nested deeper than ${maximumDepth} levels` })]
  }
  const found: Violation[] = []
  for (const [key, inner] of Object.entries(value)) {
    found.push(...findMalformedText(inner, `${path}/${pointerToken(key)}`, depth + 1))
    if (found.length >= maximumViolations) break
  }
  return found
}

/**
 * Errors in the branches of a choice are reported for the choice, except a text that is too long: the choice is right
 * then.
 */
function withoutChoices(errors: readonly TLocalizedValidationError[]): TLocalizedValidationError[] {
  const isInBranch = ({ schemaPath }: TLocalizedValidationError) => schemaPath.includes('/oneOf/')
  const tooLong = errors.filter((error) => isInBranch(error) && error.keyword === 'maxLength')
  const isExplained = ({ keyword, instancePath }: TLocalizedValidationError) =>
    keyword === 'oneOf' && tooLong.some((error) => `${error.instancePath}/`.startsWith(`${instancePath}/`))
  return errors.filter((error) => tooLong.includes(error) || !(isInBranch(error) || isExplained(error)))
}

function violationsOf(error: TLocalizedValidationError, schema: TSchema): Violation[] {
  const path = error.instancePath
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) =>
        violationAt(`${path}/${pointerToken(name)}`, { code: 'required', message: 'is missing' }),
      )
    case 'type':
    case 'oneOf':
      return [violationAt(path, { code: 'wrong_type', message: `${wantedType(error)}` })]
    case 'const':
      return [
        violationAt(path, {
          code: error.params.allowedValue === true ? 'must_be_true' : 'not_allowed',
          message: `must be ${JSON.stringify(error.params.allowedValue)}`,
        }),
      ]
    case 'enum':
      return [violationAt(path, { code: 'not_allowed', message: `must be one of ${list(error.params.allowedValues)}` })]
    case 'minimum':
      return [violationAt(path, { code: 'too_small', message: `must be at least ${error.params.limit}` })]
    case 'maximum':
      return [violationAt(path, { code: 'too_large', message: `must be at most ${error.params.limit}` })]
    case 'maxLength':
      return [violationAt(path, { code: 'too_long', message: `${maxTextLength(error.params.limit, error, schema)}` })]
    default:
      return [violationAt(path, { code: 'not_allowed', message: `${error.message}` })]
  }
}

const wantedType = (error: TLocalizedValidationError) =>
  error.keyword === 'type' ? error.message.replace('must be', 'must be of type') : 'is not of a type that is taken here'

/** The limit of a text for people applies after trimming, and is the limit to report (`plainText` of the contract). */
function maxTextLength(limit: number, { schemaPath }: TLocalizedValidationError, schema: TSchema): string {
  const keys = schemaPath.split('/').slice(1)
  const { 'x-maxTrimmedLength': trimmed } = Object(keys.reduce<unknown>((inner, key) => Object(inner)[key], schema))
  return typeof trimmed === 'number' ? untrimmedTooLong(trimmed).message : `must have at most ${limit} characters`
}

const list = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join(', ')

/** RFC 6901, 3. */
const pointerToken = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')

function oncePerPath(violations: readonly Violation[]): Violation[] {
  const seen = new Set<string>()
  return violations.filter(({ path }) => !seen.has(path) && seen.add(path))
}

function without(value: unknown, violations: readonly Violation[]): unknown {
  for (const { path, code } of violations) {
    if (code === 'required') continue
    if (path === '') return undefined
    const keys = path
      .slice(1)
      .split('/')
      .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    const last = keys.pop()
    let holder = value
    for (const key of keys) holder = Object(holder)[key]
    if (last !== undefined && typeof holder === 'object' && holder !== null) {
      Reflect.set(holder, last, undefined)
    }
  }
  return value
}

/** More than a person reads. */
const maxUnknownFields = 100

/** The keywords that say which fields an object has. */
type Shape = {
  properties?: Readonly<Record<string, TSchema>>
  items?: TSchema
  oneOf?: readonly TSchema[]
  additionalProperties?: unknown
}

/**
 * The fields of a value that none of its schemas names, as JSON Pointers (RFC 6901). No field is unknown where a schema
 * allows any fields or does not describe them.
 */
export function findUnknownFields(schemas: readonly TSchema[], value: unknown): string[] {
  const found: string[] = []
  visit(schemas, value, '')
  return found

  function visit(of: readonly TSchema[], part: unknown, path: string): void {
    if (typeof part !== 'object' || part === null || found.length >= maxUnknownFields) return
    const shapes = of.map((schema) => shapeOf(schema, part))
    if (Array.isArray(part)) {
      const items = shapes.flatMap((shape) => shape.items ?? [])
      for (const [index, item] of part.entries()) visit(items, item, `${path}/${index}`)
      return
    }
    if (shapes.some(({ additionalProperties }) => additionalProperties !== undefined)) return
    const named = shapes.flatMap(({ properties }) =>
      properties === undefined ? [] : [new Map(Object.entries(properties))],
    )
    if (named.length === 0) return
    for (const [name, field] of Object.entries(part)) {
      const known = named.flatMap((properties) => properties.get(name) ?? [])
      const at = `${path}/${pointerToken(name)}`
      if (known.length > 0) visit(known, field, at)
      else if (found.length < maxUnknownFields) found.push(at)
    }
  }
}

/** Find the alternative that is an object or a list, as the value is. */
function shapeOf(schema: TSchema, value: object): Shape {
  const shape: Shape = schema
  const wanted = Array.isArray(value) ? 'items' : 'properties'
  return shape.oneOf?.find((alternative: Shape) => alternative[wanted] !== undefined) ?? shape
}

const booleans: Record<string, boolean> = { true: true, '1': true, '': true, false: false, '0': false }

/**
 * Convert query texts to the numbers and booleans of the schema. Invalid texts stay unchanged, so that the validator
 * reports them. Booleans are `true`, `false`, `1`, `0`, in capitals or not, or empty for true.
 */
export function readQuery(schema: TObject | undefined, query: Record<string, unknown>): Record<string, unknown> {
  if (schema === undefined) return query
  const read: Record<string, unknown> = { ...query }
  for (const [name, property] of Object.entries(schema.properties)) {
    const text = query[name]
    if (typeof text !== 'string') continue
    const type = 'type' in property ? property.type : undefined
    if (type === 'integer' && /^-?\d{1,15}$/.test(text)) read[name] = Number(text)
    if (type === 'boolean') read[name] = booleans[text.toLowerCase()] ?? text
  }
  return read
}
