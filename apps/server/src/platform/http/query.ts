import type { TObject } from 'typebox'

const booleans: Record<string, boolean> = { true: true, '1': true, '': true, false: false, '0': false }

/**
 * Reads what the schema calls a number or a boolean out of a query's text. What cannot be read stays text, so that
 * the validator names it. Boolean-like is `true`, `false`, `1`, `0` in any case, or empty for true (meetings.md 6).
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
