import { writeDistance } from '../texts/distance.ts'
import type { Tone } from '../ui/Mark.tsx'

const hourMs = 60 * 60 * 1000
/** Up to here hours say more than days: of 47 hours, 'in 1 day' would be half the truth. */
const maxInHoursMs = 72 * hourMs
/** The promise (service.md 3.2): reviews take 24 to 48 hours. */
const defaultMs = 24 * hourMs
export const promisedMs = 48 * hourMs

export type ReviewAge = { state: 'waiting' | 'due' | 'overdue'; dueOn: Date }

/** How a submission stands against the promise. */
export function reviewAge(submittedOn: string, now: Date): ReviewAge {
  const submittedMs = Date.parse(submittedOn)
  const waitedMs = now.getTime() - submittedMs
  const dueOn = new Date(submittedMs + promisedMs)
  return { state: waitedMs < defaultMs ? 'waiting' : waitedMs < promisedMs ? 'due' : 'overdue', dueOn }
}

export const toneOfAge: Record<ReviewAge['state'], Tone> = { waiting: 'neutral', due: 'caution', overdue: 'danger' }

/** "in 47 hours", "12 hours ago"; what is less than an hour away in minutes, what is far in days. */
export function writeHours(to: Date, from: Date, language: string): string {
  const distanceMs = to.getTime() - from.getTime()
  const isOther = Math.abs(distanceMs) < hourMs || Math.abs(distanceMs) >= maxInHoursMs
  if (isOther) return writeDistance(to, from, language)
  return new Intl.RelativeTimeFormat(language, { numeric: 'always' }).format(Math.trunc(distanceMs / hourMs), 'hour')
}
