import type { TSchema } from 'typebox'
import { findNamedSchema, namedSchemas } from './named-schemas.ts'

type Json = string | number | boolean | null | undefined | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json }

/**
 * Write a TypeBox schema as JSON Schema 2020-12: a reference where it has a name, else in full. TypeBox's own properties
 * are not enumerable and are dropped.
 */
export function schemaOf(schema: TSchema): JsonObject {
  const named = findNamedSchema(schema)
  if (named === undefined) return inFull(schema)
  const reference = { $ref: `#/components/schemas/${named.name}` }
  const { description } = Object(schema)
  const ownDescription = description === undefined ? {} : { description }
  return { ...(isNullable(schema) ? { anyOf: [reference, { type: 'null' }] } : reference), ...ownDescription }
}

/** All named schemas, by name. */
export const componentSchemas = (): Record<string, JsonObject> =>
  Object.fromEntries(
    namedSchemas
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
      .map(({ name, schema, description }) => {
        const { type, enum: values, ...rest } = inFull(schema)
        return [name, { ...withoutNull({ type, enum: values }), description, ...rest }]
      }),
  )

/** Move the `null` of a type next to the reference. */
const withoutNull = ({ type, enum: values }: JsonObject): JsonObject => ({
  type: Array.isArray(type) ? type.find((one) => one !== 'null') : type,
  ...(Array.isArray(values) && { enum: values.filter((value) => value !== null) }),
})

const isNullable = (schema: TSchema) => [Object(schema).type].flat().includes('null')

function inFull(schema: TSchema): JsonObject {
  const { default: defaultValue, description, ...rest } = withSeparateTypes(schema as TSchema & JsonObject)
  return {
    ...(defaultValue === undefined && description === undefined
      ? {}
      : { description: withDefault(description, defaultValue) }),
    ...Object.fromEntries(Object.entries(rest).map(([keyword, value]) => [keyword, keywordOf(keyword, value)])),
  }
}

/**
 * Generators make a property with a `default` required, and then clients have to send it. In a description it is read by
 * people only.
 */
function withDefault(description: Json, defaultValue: Json): Json {
  if (defaultValue === undefined) return description
  const said = typeof description === 'string' ? `${description}. ` : ''
  return `${said}Default: \`${defaultValue}\``
}

/** Split a list of types, because generators understand only `null` beside one other type. */
function withSeparateTypes({ type, ...rest }: JsonObject): JsonObject {
  if (!Array.isArray(type) || type.includes('null')) return type === undefined ? rest : { type, ...rest }
  return { oneOf: type.map((alternative) => ({ type: alternative })), ...rest }
}

/** The value of a keyword of JSON Schema, with the schemas that it contains. */
function keywordOf(keyword: string, value: unknown): Json {
  switch (keyword) {
    case 'properties':
      return Object.fromEntries(
        Object.entries(Object(value)).map(([name, inner]) => [name, schemaOf(inner as TSchema)]),
      )
    case 'items':
      return schemaOf(value as TSchema)
    case 'anyOf':
    case 'oneOf':
      return (value as TSchema[]).map(schemaOf)
    default:
      return value as Json
  }
}
