import { createStore, useStore } from '../../ui/hooks/create-store.ts'

const opened = createStore(false)

export const openSearch = (): void => opened.replace(true)
export const closeSearch = (): void => opened.replace(false)
export const useSearchOpened = (): boolean => useStore(opened)
