import type { Violation } from './violation.ts'

/**
 * What a parser makes of its input: the value, or every violation that it found. Neither a value nor a violation means
 * that the input is absent because the schema has refused it already.
 */
export type Reading<Value> =
  | { readonly value: Value; readonly violations?: undefined }
  | { readonly value?: undefined; readonly violations: readonly Violation[] }
