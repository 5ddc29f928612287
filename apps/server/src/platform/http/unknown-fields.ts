import type { TSchema } from 'typebox'

/** More than a person reads. */
const maxReported = 100

/** The keywords that say which fields an object has. */
type Shape = {
  properties?: Readonly<Record<string, TSchema>>
  items?: TSchema
  oneOf?: readonly TSchema[]
  additionalProperties?: unknown
}

/**
 * The fields of a value that none of its schemas names, as JSON Pointers (RFC 6901). Where a schema lets an object have
 * any fields, or says nothing of them, none is unknown.
 */
export function findUnknownFields(schemas: readonly TSchema[], value: unknown): string[] {
  const found: string[] = []
  visit(schemas, value, '')
  return found

  function visit(of: readonly TSchema[], part: unknown, path: string): void {
    if (typeof part !== 'object' || part === null || found.length >= maxReported) return
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
      const at = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      if (known.length > 0) visit(known, field, at)
      else if (found.length < maxReported) found.push(at)
    }
  }
}

/** Of alternatives, the one that is an object or a list as the value is. */
function shapeOf(schema: TSchema, value: object): Shape {
  const shape: Shape = schema
  const wanted = Array.isArray(value) ? 'items' : 'properties'
  return shape.oneOf?.find((alternative: Shape) => alternative[wanted] !== undefined) ?? shape
}
