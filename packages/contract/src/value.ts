import { type TSchemaOptions, Type } from 'typebox'

/** Values that several nouns share on the wire. */
export const timestamp = (options: TSchemaOptions = {}) =>
  Type.String({ format: 'date-time', examples: ['2026-11-23T03:30:00.000Z'], ...options })

export const nullableText = (options: TSchemaOptions = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...options })

export const nullableInteger = (options: TSchemaOptions = {}) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], ...options })

/** One word out of a closed list. */
export const choice = <const Words extends readonly string[]>(words: Words, options: TSchemaOptions = {}) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: words, ...options })
