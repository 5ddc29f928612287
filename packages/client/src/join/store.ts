/** An immutable value with listeners. */
export type Store<Value> = {
  snapshot(): Value
  subscribe(listener: () => void): () => void
  /** Change fields. Listeners are not called when no field changes. */
  change(fields: Partial<Value>): void
}

/** The stores of the web app are hooks of React; this package has no interface. */
export function createSnapshotStore<Value extends object>(first: Value): Store<Value> {
  let current = first
  const listeners = new Set<() => void>()
  return {
    snapshot: () => current,
    subscribe(listener) {
      // Wrapped, so that a listener added twice is called twice and removed twice.
      const own = () => listener()
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    change(fields) {
      const next = { ...current, ...fields }
      if (isSame(current, next)) return
      current = next
      for (const listener of [...listeners]) listener()
    },
  }
}

/** Compare the fields by identity. */
export const isSame = (one: object, other: object): boolean => {
  const names = Object.keys(one) as (keyof typeof one)[]
  return names.length === Object.keys(other).length && names.every((name) => Object.is(one[name], other[name]))
}
