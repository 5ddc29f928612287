import type { TObject } from 'typebox'

const booleans: Record<string, boolean> = { true: true, '1': true, '': true, false: false, '0': false }

/**
 * Convert query texts to the numbers and booleans of the schema. Invalid texts stay unchanged, so that the validator
 * reports them. Booleans are `true`, `false`, `1`, `0` in any case, or empty for true.
 */
export function readQuery(schema: TObject | undefined, query: Record<string, unknown>): Record<string, unknown> {
  if (schema === undefined) return query
  const read: Record<string, unknown> = { ...query }
  for (const [name, property] of Object.entries(schema.properties)) {
    const text = query[name]
    if (typeof text !== 'string') continue
    const type = 'type' in property ? property.type : undefined
    if (type === 'integer' && /^-?\d{1,15}$/.test(text)) read[name] = Number(text)
    if (type === 'boolean') read[name] = booleans[text.toLowerCase()] ?? text
  }
  return read
}
