import type { ColumnType as KyselyColumn } from 'kysely'
import type { ColumnValues, WrittenValues } from '../../../migrations/column-values.ts'
import { type ColumnsWithDefault, columns, type GeneratedColumns } from '../../../migrations/columns.ts'

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

type Columns = typeof columns
type TableName = keyof Columns

/** The property of a property; never where one is absent. */
type At<T, First, Second> = First extends keyof T ? (Second extends keyof T[First] ? T[First][Second] : never) : never
type Has<T, First, Second> = [At<T, First, Second>] extends [never] ? false : true
type IsIn<T, First extends PropertyKey, Name> = First extends keyof T ? (Name extends T[First] ? true : false) : false
type OrNull<Type, Value> = Type extends `${string}?` ? Value | null : Value

/** The type of a column, with the values that migrations/column-values.ts knows. */
type TypeOf<T extends TableName, C extends keyof Columns[T]> =
  Has<ColumnValues, T, C> extends true ? Typed<OrNull<Columns[T][C], At<ColumnValues, T, C>>> : Columns[T][C]

/** The types of the columns of each table, for `pick`. */
export const tables = columns as unknown as {
  [T in TableName]: { readonly [C in keyof Columns[T]]: TypeOf<T, C> }
}

/**
 * Pick columns of a table, as the parameters or the result of a statement:
 * `columns: pick(tables.meeting, 'id', 'startsAt')`.
 */
export function pick<T, Name extends keyof T>(table: T, ...names: readonly Name[]): Pick<T, Name> {
  return Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<T, Name>
}

type Selected<T extends TableName, C extends keyof Columns[T]> = ValueOf<TypeOf<T, C>>
/** JSON is written as text. */
type Written<T extends TableName, C extends keyof Columns[T]> =
  Has<WrittenValues, T, C> extends true
    ? At<WrittenValues, T, C>
    : Columns[T][C] extends `jsonb${string}`
      ? OrNull<Columns[T][C], string>
      : Selected<T, C>

/** The tables for Kysely. */
export type Tables = {
  [T in TableName]: {
    -readonly [C in keyof Columns[T]]: IsIn<GeneratedColumns, T, C> extends true
      ? KyselyColumn<Selected<T, C>, never, never>
      : KyselyColumn<
          Selected<T, C>,
          IsIn<ColumnsWithDefault, T, C> extends true ? Written<T, C> | undefined : Written<T, C>,
          Written<T, C>
        >
  }
}
