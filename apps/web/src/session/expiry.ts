import { useSyncExternalStore } from 'react'

let expired = false
const listeners = new Set<() => void>()

function set(value: boolean) {
  if (expired === value) return
  expired = value
  for (const notify of listeners) notify()
}

/** Record that a reply reported the session's end. The layout then asks to sign in again; the page is kept. */
export const markSessionExpired = () => set(true)
export const markSessionRenewed = () => set(false)

export const useSessionExpired = (): boolean =>
  useSyncExternalStore(
    (notify) => {
      listeners.add(notify)
      return () => listeners.delete(notify)
    },
    () => expired,
  )
