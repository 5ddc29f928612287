import { useEffect, useSyncExternalStore } from 'react'

/** The width of a public page: a card, a wide card, or the whole window. */
export type Frame = 'card' | 'wide' | 'window'

let wanted: Frame = 'card'
const listeners = new Set<() => void>()

function want(frame: Frame) {
  wanted = frame
  for (const notify of listeners) notify()
}

/** Request a frame while the calling component is mounted. */
export function useFrame(frame: Frame): void {
  useEffect(() => {
    want(frame)
    return () => want('card')
  }, [frame])
}

/** The requested frame, for the layout that renders it. */
export const useWantedFrame = (): Frame =>
  useSyncExternalStore(
    (notify) => {
      listeners.add(notify)
      return () => listeners.delete(notify)
    },
    () => wanted,
  )
