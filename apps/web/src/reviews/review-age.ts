import { datesIn, ownTimeZone } from '../texts/dates.ts'
import type { Tone } from '../ui/Mark.tsx'

const hourMs = 60 * 60 * 1000
/** Shorter periods are written in hours, because 47 hours would become "1 day". */
const maxInHoursMs = 72 * hourMs
/** Reviews are promised within 24 to 48 hours. */
const defaultMs = 24 * hourMs
const promisedMs = 48 * hourMs

type ReviewAge = { state: 'waiting' | 'due' | 'overdue'; dueOn: Date }

/** Compare a submission's age with the promise. */
export function reviewAge(submittedOn: string, now: Date): ReviewAge {
  const submittedMs = Date.parse(submittedOn)
  const waitedMs = now.getTime() - submittedMs
  const dueOn = new Date(submittedMs + promisedMs)
  return { state: waitedMs < defaultMs ? 'waiting' : waitedMs < promisedMs ? 'due' : 'overdue', dueOn }
}

export const toneOfAge: Record<ReviewAge['state'], Tone> = { waiting: 'neutral', due: 'caution', overdue: 'danger' }

/** "in 47 hours", "12 hours ago"; minutes below an hour, days for long periods. */
export function writeHours(to: Date, from: Date, language: string): string {
  const distanceMs = to.getTime() - from.getTime()
  const isOther = Math.abs(distanceMs) < hourMs || Math.abs(distanceMs) >= maxInHoursMs
  if (isOther) return datesIn(language, ownTimeZone()).countdown(to, from)
  return new Intl.RelativeTimeFormat(language, { numeric: 'always' }).format(Math.trunc(distanceMs / hourMs), 'hour')
}
