import { createStore, useStore } from './hooks/create-store.ts'

type Toast = {
  message: string
  /** A problem stays until it is closed. */
  kind?: 'done' | 'problem'
  /** Undo, offered while the toast is shown. */
  undo?: () => void
  /** When the undo ends, in milliseconds since 1970: shown until then. */
  until?: number
  /** A follow-up action, offered while the toast is shown. */
  action?: { label: string; run(): void }
  /** The subject: a new toast replaces an earlier one on the same subject. */
  about?: string
}

export type ShownToast = Toast & { id: number }

/** More would cover the page; the oldest is removed. */
const maxToasts = 3

/** `lastId` counts all toasts of this load, so that no two of them share an id. */
const store = createStore<{ shown: readonly ShownToast[]; lastId: number }>({ shown: [], lastId: 0 })

/** Show a toast, which screen readers announce; callable from anywhere. */
export function showToast(toast: Toast): void {
  const { shown, lastId } = store.read()
  const id = lastId + 1
  const others = shown.filter(({ about }) => about === undefined || about !== toast.about)
  store.replace({ shown: [...others, { ...toast, id }].slice(-maxToasts), lastId: id })
}

export function hideToast(id: number): void {
  const { shown, lastId } = store.read()
  store.replace({ shown: shown.filter((toast) => toast.id !== id), lastId })
}

export const useToasts = (): readonly ShownToast[] => useStore(store).shown
