import { useEffect, useSyncExternalStore } from 'react'

/** How much of the window a page of the entrance takes: a card, a wide one, or all of it. */
export type Frame = 'card' | 'wide' | 'window'

let wanted: Frame = 'card'
const listeners = new Set<() => void>()

function want(frame: Frame) {
  wanted = frame
  for (const tell of listeners) tell()
}

/** Asks for a frame for as long as the calling component is there. */
export function useFrame(frame: Frame): void {
  useEffect(() => {
    want(frame)
    return () => want('card')
  }, [frame])
}

/** For the layout, which alone draws the frame. */
export const useWantedFrame = (): Frame =>
  useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    () => wanted,
  )
