import { readClockMs } from '../../ui/hooks/use-now.ts'

/** A cancellation that can be undone, as this tab keeps it over a reload. */
export type KeptUndo = {
  accountId: string
  meetingId: string
  /** The date that was cancelled; absent for a meeting, or a date and all that follow. */
  originalStartTime?: string
  sendUpdates: 'all' | 'none'
  message: string
  /** When the offer ends, in milliseconds since 1970. */
  until: number
}

/** Several cancellations in half a minute are rare; toasts show three. */
const maxKept = 3

const key = 'parley-undo'

/** The offers that have not ended; none where storage is blocked. */
export function readUndos(now: number): KeptUndo[] {
  try {
    const kept: KeptUndo[] = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    return kept.filter(({ until }) => until > now)
  } catch {
    return []
  }
}

export const keepUndo = (kept: KeptUndo) => write([...othersThan(kept), kept].slice(-maxKept))

export const deleteUndo = (kept: KeptUndo) => write(othersThan(kept))

const othersThan = (kept: KeptUndo) =>
  readUndos(readClockMs()).filter(
    (other) => other.meetingId !== kept.meetingId || other.originalStartTime !== kept.originalStartTime,
  )

function write(kept: readonly KeptUndo[]): void {
  try {
    if (kept.length === 0) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(kept))
  } catch {
    // Storage is full or blocked: the offer ends with a reload.
  }
}
