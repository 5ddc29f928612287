import type { Violation } from '@parley/contract'
import { untrimmedTooLong } from '@parley/rules/text/plain-text'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { Format } from 'typebox/format'
import { Settings } from 'typebox/system'

/** Deeper than any body of the contract by far; a walk over hostile nesting ends here. */
const maximumDepth = 16

/** More than a person reads, and few enough that a hostile body cannot make a large answer. */
const maximumViolations = 100

/** The schema tells some violations in several errors, and looks no further after so many. */
const maximumErrors = 4 * maximumViolations

// What a format means is decided by the rules, where the message can say more; the schema only documents it.
Format.Clear()
Settings.Set({ maxErrors: maximumErrors })

export type Validated = {
  violations: Violation[]
  /** The value without what was refused, so that a rule can still judge the rest; undefined when nothing is left. */
  sound: unknown
}

/** Judges values by a schema. The value is changed in place where something is refused. */
export function createValidator(schema: TSchema): (value: unknown) => Validated {
  const compiled = Compile(schema)
  return (value) => {
    const unsound = unsoundText(value, '', 0)
    if (compiled.Check(value) && unsound.length === 0) return { violations: [], sound: value }
    const errors = compiled.Errors(value)
    const violations = oncePerPath([...unsound, ...errors.flatMap((error) => violationsOf(error, schema))])
    if (errors.length >= maximumErrors || unsound.length >= maximumViolations) return { violations, sound: undefined }
    return { violations, sound: without(value, violations) }
  }
}

/** What no field takes: text that is not Unicode (RFC 7493, 2.1), NUL (PostgreSQL stores none), endless nesting. */
function unsoundText(value: unknown, path: string, depth: number): Violation[] {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) {
      return [{ path, code: 'lone_surrogate', message: `${nameOf(path)} holds half of a surrogate pair.` }]
    }
    if (value.includes('\0')) {
      return [{ path, code: 'control_character', message: `${nameOf(path)} holds a NUL character.` }]
    }
    return []
  }
  if (typeof value !== 'object' || value === null) return []
  if (depth >= maximumDepth) {
    return [{ path, code: 'too_deep', message: `${nameOf(path)} is nested deeper than ${maximumDepth} levels.` }]
  }
  const found: Violation[] = []
  for (const [key, inner] of Object.entries(value)) {
    found.push(...unsoundText(inner, `${path}/${pointerToken(key)}`, depth + 1))
    if (found.length >= maximumViolations) break
  }
  return found
}

function violationsOf(error: TLocalizedValidationError, schema: TSchema): Violation[] {
  const path = error.instancePath
  // The branches of a choice are told as the choice.
  if (error.schemaPath.includes('/oneOf/')) return []
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({
        path: `${path}/${pointerToken(name)}`,
        code: 'required',
        message: `${nameOf(`${path}/${name}`)} is missing.`,
      }))
    case 'type':
    case 'oneOf':
      return [{ path, code: 'wrong_type', message: `${nameOf(path)} ${wantedType(error)}.` }]
    case 'const':
      return [
        {
          path,
          code: error.params.allowedValue === true ? 'must_be_true' : 'not_allowed',
          message: `${nameOf(path)} must be ${JSON.stringify(error.params.allowedValue)}.`,
        },
      ]
    case 'enum':
      return [
        { path, code: 'not_allowed', message: `${nameOf(path)} must be one of ${list(error.params.allowedValues)}.` },
      ]
    case 'minimum':
      return [{ path, code: 'too_small', message: `${nameOf(path)} must be at least ${error.params.limit}.` }]
    case 'maximum':
      return [{ path, code: 'too_large', message: `${nameOf(path)} must be at most ${error.params.limit}.` }]
    case 'maxLength':
      return [
        { path, code: 'too_long', message: `${nameOf(path)} ${maxTextLength(error.params.limit, error, schema)}.` },
      ]
    default:
      return [{ path, code: 'not_allowed', message: `${nameOf(path)} ${error.message}.` }]
  }
}

const wantedType = (error: TLocalizedValidationError) =>
  error.keyword === 'type' ? error.message.replace('must be', 'must be of type') : 'is not of a type that is taken here'

/** A text for people has a limit that counts after trimming, which is the one to name (`plainText` of the contract). */
function maxTextLength(limit: number, { schemaPath }: TLocalizedValidationError, schema: TSchema): string {
  const keys = schemaPath.split('/').slice(1)
  const { 'x-maxTrimmedLength': trimmed } = Object(keys.reduce<unknown>((inner, key) => Object(inner)[key], schema))
  return typeof trimmed === 'number' ? untrimmedTooLong(trimmed).message : `must have at most ${limit} characters`
}

const list = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join(', ')

/** RFC 6901, 3. */
const pointerToken = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')

const nameOf = (path: string) => (path === '' ? 'The body' : path.slice(1).replaceAll('/', '.'))

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
