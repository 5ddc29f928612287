import { follow, type JsonSchema } from './fuzz-schemas.ts'

/** A key, or `*` for the first item of an array. */
export type Place = readonly string[]
export type Text = { place: Place; schema: JsonSchema & { 'x-maxTrimmedLength'?: number } }

/** Every text in a schema, except those with a closed list of values. */
export function textsIn(document: unknown, written: JsonSchema, place: Place = []): Text[] {
  const schema = follow(document, written)
  if (schema.enum !== undefined || schema.const !== undefined) return []
  return [
    ...([schema.type].flat().includes('string') ? [{ place, schema }] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => textsIn(document, inner, [...place, name])),
    ...(schema.items === undefined ? [] : textsIn(document, schema.items, [...place, '*'])),
    ...(schema.oneOf ?? []).flatMap((branch) => textsIn(document, branch, place)),
  ]
}

export const pointerOf = (place: Place) => place.map((key) => `/${key === '*' ? 0 : key}`).join('')
