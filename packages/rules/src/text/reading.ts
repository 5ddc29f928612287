import { type Violation, violationAt } from './violation.ts'

/**
 * The result of a parser: the value, or every violation that the parser found. With neither a value nor a violation,
 * the schema has refused the input already.
 */
export type Reading<Value> =
  | { readonly value: Value; readonly violations?: undefined }
  | { readonly value?: undefined; readonly violations: readonly Violation[] }

type ValueOf<R> = R extends { readonly value: infer Value; readonly violations?: undefined } ? Value : never

/** The reading of a required input that is absent because the schema has refused it and reports it. */
export const refusedBySchema: Reading<never> = { violations: [] }

/** The reading of a condition that holds and has no value of its own. */
export const passed: Reading<undefined> = { value: undefined }

/** Refuse a field at a JSON Pointer. `message` completes a sentence that begins with the field's name. */
export const refuseAt = (path: string, code: string, message: string): Reading<never> =>
  refuse(violationAt(path, { code, message }))

export const refuse = (...violations: readonly Violation[]): Reading<never> => ({ violations })

/** Read an input that the schema requires. */
export const readRequired = <Sent, Value>(
  sent: Sent | undefined,
  read: (sent: Sent) => Reading<Value>,
): Reading<Value> => (sent === undefined ? refusedBySchema : read(sent))

/** Read an input that may be omitted. */
export const readOptional = <Sent, Value>(
  sent: Sent | undefined,
  read: (sent: Sent) => Reading<Value>,
): Reading<Value | undefined> => (sent === undefined ? passed : read(sent))

/** Combine the readings of several fields into one of all values, or of all violations in the order of the fields. */
export function combine<Readings extends Record<string, Reading<unknown>>>(
  readings: Readings,
): Reading<{ -readonly [Field in keyof Readings]: ValueOf<Readings[Field]> }> {
  const fields = Object.entries(readings)
  const refused = fields.filter(([, reading]) => reading.violations !== undefined)
  if (refused.length > 0) return { violations: refused.flatMap(([, { violations }]) => violations ?? []) }
  const values = Object.fromEntries(fields.map(([field, { value }]) => [field, value]))
  // Object.fromEntries loses the types of the single fields.
  return { value: values as { -readonly [Field in keyof Readings]: ValueOf<Readings[Field]> } }
}

/** Combine the readings of a list's items. */
export function collect<Value>(readings: readonly Reading<Value>[]): Reading<Value[]> {
  const values: Value[] = []
  for (const reading of readings) {
    if (reading.violations !== undefined) return { violations: readings.flatMap(({ violations }) => violations ?? []) }
    values.push(reading.value)
  }
  return { value: values }
}

/** Add violations to a reading, such as that of a condition between two fields. */
export function addViolations<Value>(
  reading: Reading<Value>,
  ...found: readonly (Violation | undefined)[]
): Reading<Value> {
  const violations = found.filter((violation) => violation !== undefined)
  return violations.length === 0 ? reading : { violations: [...(reading.violations ?? []), ...violations] }
}

/** Convert the value of a reading; violations stay as they are. */
export const mapReading = <From, To>(reading: Reading<From>, map: (value: From) => To): Reading<To> =>
  reading.violations === undefined ? { value: map(reading.value) } : reading
