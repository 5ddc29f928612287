import { type Violation, violationAt } from './violation.ts'

/**
 * The result of a parser: the value, or every violation that the parser found. With neither a value nor a violation,
 * the schema has refused the input already.
 */
export type Parsed<Value> =
  | { readonly value: Value; readonly violations?: undefined }
  | { readonly value?: undefined; readonly violations: readonly Violation[] }

type ValueOf<R> = R extends { readonly value: infer Value; readonly violations?: undefined } ? Value : never

/** The result for a required input that is absent because the schema has refused it and reports it. */
export const refusedBySchema: Parsed<never> = { violations: [] }

/** The result of a condition that holds and has no value of its own. */
export const passed: Parsed<undefined> = { value: undefined }

/** Refuse a field at a JSON Pointer. `message` completes a sentence that begins with the field's name. */
export const refuseAt = (path: string, code: string, message: string): Parsed<never> =>
  refuse(violationAt(path, { code, message }))

export const refuse = (...violations: readonly Violation[]): Parsed<never> => ({ violations })

/** Read an input that the schema requires. */
export const readRequired = <Sent, Value>(
  sent: Sent | undefined,
  read: (sent: Sent) => Parsed<Value>,
): Parsed<Value> => (sent === undefined ? refusedBySchema : read(sent))

/** Read an input that may be omitted. */
export const readOptional = <Sent, Value>(
  sent: Sent | undefined,
  read: (sent: Sent) => Parsed<Value>,
): Parsed<Value | undefined> => (sent === undefined ? passed : read(sent))

/** Combine the parsed fields of an object into one of all values, or of all violations in the order of the fields. */
export function combine<Fields extends Record<string, Parsed<unknown>>>(
  fields: Fields,
): Parsed<{ -readonly [Field in keyof Fields]: ValueOf<Fields[Field]> }> {
  const entries = Object.entries(fields)
  const refused = entries.filter(([, { violations }]) => violations !== undefined)
  if (refused.length > 0) return { violations: refused.flatMap(([, { violations }]) => violations ?? []) }
  const values = Object.fromEntries(entries.map(([field, { value }]) => [field, value]))
  // Object.fromEntries loses the types of the single fields.
  return { value: values as { -readonly [Field in keyof Fields]: ValueOf<Fields[Field]> } }
}

/** Combine the parsed items of a list. */
export function collect<Value>(items: readonly Parsed<Value>[]): Parsed<Value[]> {
  const values: Value[] = []
  for (const item of items) {
    if (item.violations !== undefined) return { violations: items.flatMap(({ violations }) => violations ?? []) }
    values.push(item.value)
  }
  return { value: values }
}

/** Add violations, such as that of a condition between two fields. */
export function addViolations<Value>(
  parsed: Parsed<Value>,
  ...found: readonly (Violation | undefined)[]
): Parsed<Value> {
  const violations = found.filter((violation) => violation !== undefined)
  return violations.length === 0 ? parsed : { violations: [...(parsed.violations ?? []), ...violations] }
}

/** Convert the value; violations stay as they are. */
export const mapParsed = <From, To>(parsed: Parsed<From>, map: (value: From) => To): Parsed<To> =>
  parsed.violations === undefined ? { value: map(parsed.value) } : parsed
