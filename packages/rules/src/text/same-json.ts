/**
 * Whether two values are the same in JSON. jsonb does not keep the order of an object's fields, and JSON has no fields
 * that are undefined. Faster than comparing their texts, because most differ early and long texts need no escapes.
 */
export function isSameJson(one: unknown, other: unknown): boolean {
  const [a, b] = [plainOf(one), plainOf(other)]
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => isSameJson(item ?? null, b[index] ?? null))
    )
  }
  const [fieldsOfA, fieldsOfB] = [fieldsOf(a), fieldsOf(b)]
  return (
    fieldsOfA.size === fieldsOfB.size && [...fieldsOfA].every(([name, value]) => isSameJson(value, fieldsOfB.get(name)))
  )
}

/** A date is a text in JSON. */
const plainOf = (value: unknown) => (value instanceof Date ? value.toJSON() : value)

const fieldsOf = (value: object) => new Map(Object.entries(value).filter(([, field]) => field !== undefined))
