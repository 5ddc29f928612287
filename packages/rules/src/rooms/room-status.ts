import type { Occurrence } from '../recurrence/recurrence.ts'
import { opensAtOf, staysOpenAfterMs } from './admission.ts'

/** The state of a meeting's room. */
export type RoomUse = {
  /** At least one person is inside. */
  occupied: boolean
  /** When a host last ended the meeting for everyone. */
  endedAt: Date | null
}

type RoomStatus = 'occupied' | 'ended'

/**
 * Find the date whose room is in use now, and its status; undefined when the status follows from the time alone. A room
 * is used for one date at a time, the one that `occurrenceToEnter` chooses: the open one, else the last one for a day,
 * else the next one, for hosts who come early.
 */
export function roomStatusOf<Dated extends Pick<Occurrence, 'startsAt' | 'endsAt'>>(
  dates: readonly Dated[],
  { occupied, endedAt }: RoomUse,
  now: Date,
): { date: Dated; status: RoomStatus } | undefined {
  const sorted = dates
    .filter(({ endsAt }) => now.getTime() - endsAt.getTime() < staysOpenAfterMs)
    .toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime())
  const open = sorted.find((date) => opensAtOf(date) <= now && now < date.endsAt)
  const date = open ?? sorted.findLast(({ endsAt }) => endsAt <= now) ?? sorted[0]
  if (date === undefined) return undefined
  if (occupied) return { date, status: 'occupied' }
  return endedAt !== null && endedAt >= opensAtOf(date) ? { date, status: 'ended' } : undefined
}
