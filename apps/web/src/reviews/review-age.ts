import type { Tone } from '../ui/Mark.tsx'

const hourMs = 60 * 60 * 1000
/** The promise (service.md 3.2): reviews take 24 to 48 hours. */
const usualMs = 24 * hourMs
export const promisedMs = 48 * hourMs

export type ReviewAge = { state: 'waiting' | 'due' | 'overdue'; dueOn: Date }

/** How a submission stands against the promise. */
export function reviewAge(submittedOn: string, now: Date): ReviewAge {
  const submittedMs = Date.parse(submittedOn)
  const waitedMs = now.getTime() - submittedMs
  const dueOn = new Date(submittedMs + promisedMs)
  return { state: waitedMs < usualMs ? 'waiting' : waitedMs < promisedMs ? 'due' : 'overdue', dueOn }
}

export const toneOfAge: Record<ReviewAge['state'], Tone> = { waiting: 'neutral', due: 'caution', overdue: 'danger' }
