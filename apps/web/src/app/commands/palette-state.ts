import { useSyncExternalStore } from 'react'

let opened = false
const listeners = new Set<() => void>()

function set(value: boolean) {
  opened = value
  for (const notify of listeners) notify()
}

export const openPalette = () => set(true)
export const closePalette = () => set(false)

export const usePaletteOpened = (): boolean =>
  useSyncExternalStore(
    (notify) => {
      listeners.add(notify)
      return () => listeners.delete(notify)
    },
    () => opened,
  )
