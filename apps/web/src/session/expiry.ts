import { useSyncExternalStore } from 'react'

let expired = false
const listeners = new Set<() => void>()

function set(value: boolean) {
  if (expired === value) return
  expired = value
  for (const tell of listeners) tell()
}

/** An answer said that the session has ended: the layout asks to sign in again, and the page stays as it is. */
export const markSessionExpired = () => set(true)
export const markSessionRenewed = () => set(false)

export const useSessionExpired = (): boolean =>
  useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    () => expired,
  )
