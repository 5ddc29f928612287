/** PostgreSQL types whose values need no further description, and what the driver reads and writes for them. */
type ScalarValues = {
  boolean: boolean
  smallint: number
  integer: number
  /** `database.ts` reads it as a number. */
  bigint: number
  'double precision': number
  text: string
  uuid: string
  /** `database.ts` leaves it as text. */
  date: string
  timestamptz: Date
  bytea: Buffer
}

type Scalar = keyof ScalarValues

declare const typedValue: unique symbol
type Typed<Value> = string & { readonly [typedValue]: Value }

/**
 * The type of a parameter or of a result's column, as PostgreSQL names it. `?` marks what may be null: `text?` is a
 * text or null, `text?[]` an array that may contain null, `text[]?` an array or null.
 */
export type ColumnType =
  | Scalar
  | `${Scalar}?`
  | `${Scalar}[]`
  | `${Scalar}?[]`
  | `${Scalar}[]?`
  // The value is not used before `ValueOf` infers it.
  | Typed<unknown>

/** What a column of this type is in TypeScript. */
export type ValueOf<Type> =
  Type extends Typed<infer Value>
    ? Value
    : Type extends `${infer Element}[]`
      ? ValueOf<Element>[]
      : Type extends `${infer Present}?`
        ? ValueOf<Present> | null
        : Type extends Scalar
          ? ScalarValues[Type]
          : never

/** A type whose values TypeScript knows better than PostgreSQL: `typed<RoomRole>('text')`, `typed<Rule>('jsonb')`. */
export function typed<Value>(type: `${string}?`): Typed<Value | null>
export function typed<Value>(type: string): Typed<Value>
export function typed(type: string): Typed<unknown> {
  return type as Typed<unknown>
}

/** The type without its marks for null, for a cast. */
export const castTypeOf = (type: ColumnType): string => type.replaceAll('?', '')

export const isNullable = (type: ColumnType): boolean => type.endsWith('?')
