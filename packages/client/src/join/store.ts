/** An immutable value and those who want to know of the next one. */
export type Store<Value> = {
  snapshot(): Value
  subscribe(listener: () => void): () => void
  /** Nobody is told when every field is what it was. */
  change(fields: Partial<Value>): void
}

export function createStore<Value extends object>(first: Value): Store<Value> {
  let current = first
  const listeners = new Set<() => void>()
  return {
    snapshot: () => current,
    subscribe(listener) {
      // Wrapped, so that one who listens twice is told twice and stops twice.
      const own = () => listener()
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    change(fields) {
      const next = { ...current, ...fields }
      if (isSame(current, next)) return
      current = next
      for (const tell of [...listeners]) tell()
    },
  }
}

/** Field by field, each by identity. */
export const isSame = (one: object, other: object): boolean => {
  const names = Object.keys(one) as (keyof typeof one)[]
  return names.length === Object.keys(other).length && names.every((name) => Object.is(one[name], other[name]))
}
