import { createStore, useStore } from '../../ui/hooks/create-store.ts'

const opened = createStore(false)

export const openPalette = (): void => opened.replace(true)
export const closePalette = (): void => opened.replace(false)
export const usePaletteOpened = (): boolean => useStore(opened)
