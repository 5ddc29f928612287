import { createStore, useStore } from '../ui/hooks/create-store.ts'

const expired = createStore(false)

/** Record that a reply reported the session's end. The layout then asks to sign in again; the page is kept. */
export const markSessionExpired = (): void => expired.replace(true)
export const markSessionRenewed = (): void => expired.replace(false)

export const useSessionExpired = (): boolean => useStore(expired)
