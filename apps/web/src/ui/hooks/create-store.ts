import { useSyncExternalStore } from 'react'

/** A value that components share without a common parent. Replace it to change it: the same value calls no listener. */
type Store<Value> = {
  read(): Value
  replace(value: Value): void
  /** Call the listener after each change. Returns a function that stops. */
  subscribe(listener: () => void): () => void
}

export function createStore<Value>(initial: Value): Store<Value> {
  let current = initial
  const listeners = new Set<() => void>()
  return {
    read: () => current,
    replace(value) {
      if (Object.is(value, current)) return
      current = value
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener) {
      // Wrapped, so that a listener added twice is called twice and removed twice.
      const own = () => listener()
      listeners.add(own)
      return () => void listeners.delete(own)
    },
  }
}

/** The value of a store; the component renders again when it changes. */
export const useStore = <Value>(store: Store<Value>): Value => useSyncExternalStore(store.subscribe, store.read)
