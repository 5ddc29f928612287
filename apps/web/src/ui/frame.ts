import { useEffect } from 'react'
import { createStore, useStore } from './hooks/create-store.ts'

/** The width of a public page: a card, a wide card, or the whole window. */
type Frame = 'card' | 'wide' | 'window'

const requested = createStore<Frame>('card')

/** Request a frame while the calling component is mounted. */
export function useFrame(frame: Frame): void {
  useEffect(() => {
    requested.replace(frame)
    return () => requested.replace('card')
  }, [frame])
}

/** The requested frame, for the layout that renders it. */
export const useRequestedFrame = (): Frame => useStore(requested)
