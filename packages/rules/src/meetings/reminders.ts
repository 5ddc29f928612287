import { occurrences, type Series } from '../recurrence/recurrence.ts'

/** Four weeks. */
export const maxReminderMinutes = 40_320

/** `occurrence` is the start of the occurrence, also where a change has moved it. */
export type Reminder = { occurrence: Date; dueAt: Date }

/**
 * Find the first reminder due after `after`: `reminderMinutes` before each occurrence that is not excluded. An
 * occurrence that begins sooner than that after `after` has none, because its guests have just been notified. Undefined
 * when none is left, and when `reminderMinutes` is 0.
 */
export function nextReminder(series: Series, reminderMinutes: number, after: Date): Reminder | undefined {
  if (reminderMinutes === 0) return undefined
  const leadMs = reminderMinutes * 60_000
  const earliest = new Date(after.getTime() + leadMs)
  const next = occurrences(series, earliest).find(({ startsAt, cancelled }) => !cancelled && startsAt > earliest)
  return next && { occurrence: next.startsAt, dueAt: new Date(next.startsAt.getTime() - leadMs) }
}
