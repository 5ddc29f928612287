import { occurrences, type Series } from '../recurrence/recurrence.ts'

/** Four weeks: what is further away is a diary's to remember. */
export const maxReminderMinutes = 40_320

export type Reminder = { occurrence: Date; dueAt: Date }

/**
 * The first reminder that is due after `after`: so many minutes before each occurrence that is not excluded. A meeting
 * that begins sooner than that has none: its guests have just been told of it. Undefined when none is left, and with 0.
 */
export function nextReminder(series: Series, reminderMinutes: number, after: Date): Reminder | undefined {
  if (reminderMinutes === 0) return undefined
  const leadMs = reminderMinutes * 60_000
  const earliest = new Date(after.getTime() + leadMs)
  const next = occurrences(series, earliest).find(({ startsAt, excluded }) => !excluded && startsAt > earliest)
  return next && { occurrence: next.startsAt, dueAt: new Date(next.startsAt.getTime() - leadMs) }
}
