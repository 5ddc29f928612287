import { useSyncExternalStore } from 'react'

export type Toast = {
  message: string
  /** A problem stays until it is closed. */
  kind?: 'done' | 'problem'
  /** Takes the deed back, for as long as the toast is there. */
  undo?: () => void
  /** What may be done next, in one click, for as long as the toast is there. */
  action?: { label: string; run(): void }
  /** What it tells of: it takes the place of the one before that told of the same. */
  about?: string
}

export type ShownToast = Toast & { id: number }

/** More would cover the page; the oldest goes. */
const maxToasts = 3

let shown: readonly ShownToast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function show(toasts: readonly ShownToast[]) {
  shown = toasts
  for (const tell of listeners) tell()
}

/** Tells what was done, in a corner and to screen readers; from anywhere. */
export function showToast(toast: Toast): void {
  lastId++
  const others = shown.filter(({ about }) => about === undefined || about !== toast.about)
  show([...others, { ...toast, id: lastId }].slice(-maxToasts))
}

export const hideToast = (id: number): void => show(shown.filter((toast) => toast.id !== id))

export const useToasts = (): readonly ShownToast[] =>
  useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    () => shown,
  )
