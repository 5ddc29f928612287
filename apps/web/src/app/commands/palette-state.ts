import { useSyncExternalStore } from 'react'

let opened = false
const listeners = new Set<() => void>()

function set(value: boolean) {
  opened = value
  for (const tell of listeners) tell()
}

export const openPalette = () => set(true)
export const closePalette = () => set(false)

export const usePaletteOpened = (): boolean =>
  useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    () => opened,
  )
