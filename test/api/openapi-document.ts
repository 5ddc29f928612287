import { openapiDocument } from '@parley/contract/openapi'
import Schema from 'typebox/schema'

/** The document of a service at https://meet.example.org. */
export const document = openapiDocument({ baseUrl: 'https://meet.example.org', version: '1.0.0-rc.1' })

type Node = { pointer: string; value: Record<string, unknown> }

/** Every object and list of a value, with its place. */
export function* nodesOf(value: unknown, pointer = ''): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  yield { pointer, value: value as Record<string, unknown> }
  for (const [key, inner] of Object.entries(value)) {
    yield* nodesOf(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  }
}

/** The part of the document that a reference names. */
export const at = (reference: string): unknown =>
  reference
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((value, key) => Object(value)[key], document)

const compiledSchemas = new Map<string, ReturnType<typeof Schema.Compile>>()

/** Validate a value. The document's components are added to the schema, so that references resolve. */
export function violationsOf(schema: object, example: unknown): unknown[] {
  const key = JSON.stringify(schema)
  const compiled = compiledSchemas.get(key) ?? Schema.Compile({ ...schema, components: document.components })
  compiledSchemas.set(key, compiled)
  const [isValid, errors] = compiled.Errors(example)
  return isValid ? [] : errors
}
