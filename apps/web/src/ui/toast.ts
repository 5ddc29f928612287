import { useSyncExternalStore } from 'react'

export type Toast = {
  message: string
  /** A problem stays until it is closed. */
  kind?: 'done' | 'problem'
  /** Undo, offered while the toast is shown. */
  undo?: () => void
  /** A follow-up action, offered while the toast is shown. */
  action?: { label: string; run(): void }
  /** The subject: a new toast replaces an earlier one on the same subject. */
  about?: string
}

export type ShownToast = Toast & { id: number }

/** More would cover the page; the oldest is removed. */
const maxToasts = 3

let shown: readonly ShownToast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function show(toasts: readonly ShownToast[]) {
  shown = toasts
  for (const notify of listeners) notify()
}

/** Show a toast, which screen readers announce; callable from anywhere. */
export function showToast(toast: Toast): void {
  lastId++
  const others = shown.filter(({ about }) => about === undefined || about !== toast.about)
  show([...others, { ...toast, id: lastId }].slice(-maxToasts))
}

export const hideToast = (id: number): void => show(shown.filter((toast) => toast.id !== id))

export const useToasts = (): readonly ShownToast[] =>
  useSyncExternalStore(
    (notify) => {
      listeners.add(notify)
      return () => listeners.delete(notify)
    },
    () => shown,
  )
