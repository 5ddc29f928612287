import type { BreakoutMessage, BreakoutOfPerson, BreakoutRooms, RoomRole } from '@parley/contract'

/** The breakout rooms of a call as they are stored. Each opening makes rooms with new ids. */
export type StoredBreakout = {
  rooms: { id: string; name: string }[]
  choice: boolean
  /** RFC 3339; null without an end. */
  endsAt: string | null
  message: BreakoutMessage | null
}

/** Where a person is, as it is stored with the admission. A room of an earlier opening counts as none. */
type BreakoutPlace = {
  /** The room that the person belongs to. */
  breakoutRoom: string | null
  /** The person is in the main room meanwhile. */
  breakoutAway: boolean
}

/** The breakout rooms that are open at this time. */
export const openBreakout = (stored: StoredBreakout | null, now: Date): StoredBreakout | undefined =>
  stored === null || hasEnded(stored, now) ? undefined : stored

const hasEnded = ({ endsAt }: StoredBreakout, now: Date) => endsAt !== null && new Date(endsAt) <= now

const hasRoom = ({ rooms }: StoredBreakout, id: string) => rooms.some((room) => room.id === id)

/** The room that a person belongs to; null for none. */
export const assignedRoomOf = (
  breakout: StoredBreakout | undefined,
  { breakoutRoom }: Pick<BreakoutPlace, 'breakoutRoom'>,
): string | null =>
  breakout !== undefined && breakoutRoom !== null && hasRoom(breakout, breakoutRoom) ? breakoutRoom : null

/** The room that a person is in; null for the main room. */
export const currentRoomOf = (breakout: StoredBreakout | undefined, place: BreakoutPlace): string | null =>
  place.breakoutAway ? null : assignedRoomOf(breakout, place)

type OwnMove = { breakout: StoredBreakout; role: RoomRole; place: BreakoutPlace; room: string | null }

/**
 * The place of a person who goes to a room by themselves. Hosts go everywhere; participants to the main room, back to
 * their own and, where they choose, to every room.
 */
export function moveOneself({ breakout, role, place, room }: OwnMove): BreakoutPlace | 'not found' | 'forbidden' {
  const assigned = assignedRoomOf(breakout, place)
  if (room === null) return { breakoutRoom: assigned, breakoutAway: assigned !== null }
  if (!hasRoom(breakout, room)) return 'not found'
  if (role === 'participant' && !breakout.choice && room !== assigned) return 'forbidden'
  return { breakoutRoom: room, breakoutAway: false }
}

/** When breakout rooms close that a host closes after a countdown: no later than they would have closed anyway. */
export function closingTime({ endsAt }: StoredBreakout, countdownSeconds: number, now: Date): Date {
  const closesMs = now.getTime() + countdownSeconds * 1000
  return new Date(endsAt === null ? closesMs : Math.min(closesMs, new Date(endsAt).getTime()))
}

export const viewBreakout = (breakout: StoredBreakout | undefined): BreakoutRooms | null => breakout ?? null

/** The breakout rooms as one person sees them. */
export const viewBreakoutOf = (
  breakout: StoredBreakout | undefined,
  { helpAskedAt, ...place }: BreakoutPlace & { helpAskedAt: Date | null },
): BreakoutOfPerson | null =>
  breakout === undefined
    ? null
    : {
        ...breakout,
        room: currentRoomOf(breakout, place),
        assignedRoom: assignedRoomOf(breakout, place),
        helpAskedOn: helpAskedAt?.toISOString() ?? null,
      }

/** Divide people into as many rooms, of which the largest has at most one person more than the smallest. */
export function divideEvenly<Person>(people: readonly Person[], rooms: number): Person[][] {
  return Array.from({ length: rooms }, (_, at) => people.filter((_, index) => index % rooms === at))
}
