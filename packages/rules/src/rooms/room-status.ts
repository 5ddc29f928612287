import type { Occurrence } from '../recurrence/recurrence.ts'
import { opensAtOf, staysOpenAfterMs } from './admission.ts'

/** What is known of a meeting's room. */
export type RoomFacts = {
  /** At least one person is inside. */
  occupied: boolean
  /** When a host last ended the meeting for everyone. */
  endedAt: Date | null
}

export type RoomStatus = 'occupied' | 'ended'

/**
 * The date of a meeting whose room is used now, and how it stands; undefined where only the time says something of it. A
 * room is used for one date at a time, the one that `occurrenceToEnter` lets people in for: the one that is open, else the
 * last one for a day, else the next one, for hosts who come early.
 */
export function roomStatusOf<Dated extends Pick<Occurrence, 'startsAt' | 'endsAt'>>(
  dates: readonly Dated[],
  { occupied, endedAt }: RoomFacts,
  now: Date,
): { date: Dated; status: RoomStatus } | undefined {
  const inOrder = dates
    .filter(({ endsAt }) => now.getTime() - endsAt.getTime() < staysOpenAfterMs)
    .toSorted((one, other) => one.startsAt.getTime() - other.startsAt.getTime())
  const opensAt = (date: Dated) => opensAtOf({ ...date, excluded: false })
  const open = inOrder.find((date) => opensAt(date) <= now && now < date.endsAt)
  const date = open ?? inOrder.findLast(({ endsAt }) => endsAt <= now) ?? inOrder[0]
  if (date === undefined) return undefined
  if (occupied) return { date, status: 'occupied' }
  return endedAt !== null && endedAt >= opensAt(date) ? { date, status: 'ended' } : undefined
}
