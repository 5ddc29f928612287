/**
 * How long a person may undo a cancellation, and emails about it wait: long enough to read what was done and to reach the
 * button, by keyboard too (WCAG 2.2, 2.2.1), and short for guests, who have two minutes of gathered changes anyway.
 */
export const undoableMs = 30_000

/** The time until which a cancellation can be undone; undefined where none is offered: programs have no undo button. */
export const undoableUntil = (isAsked: boolean, isSession: boolean, now: Date): Date | undefined =>
  isAsked && isSession ? new Date(now.getTime() + undoableMs) : undefined

/** The last cancellation of a meeting that could be undone. `version` is that of the meeting after it. */
export type UndoableCancellation = {
  cancelledBy: string
  undoableUntil: Date
  version: number
  undoneAt: Date | null
}

type Undoing = { kind: 'undo' } | { kind: 'nothing-to-do' } | { kind: 'over' }

/**
 * Decide whether a person may undo a cancellation now: their own, within the time, of a meeting that has not been changed
 * since. A second click, or one in another window, finds that it is done.
 */
export function planUndoing(
  cancellation: UndoableCancellation | undefined,
  { accountId, version }: { accountId: string; version: number },
  now: Date,
): Undoing {
  if (cancellation?.cancelledBy !== accountId) return { kind: 'over' }
  if (cancellation.undoneAt !== null) return { kind: version === cancellation.version + 1 ? 'nothing-to-do' : 'over' }
  return { kind: version === cancellation.version && now < cancellation.undoableUntil ? 'undo' : 'over' }
}
