import type { RoomSession } from '@parley/contract'

type Stay = RoomSession['stays'][number]

type Attendee = Pick<Stay, 'name' | 'email' | 'role'> & {
  key: string
  presentMs: number
  times: Pick<Stay, 'joinedOn' | 'leftOn'>[]
}

/**
 * List each person once, in the order of arrival. Two guests of one name without an address cannot be told apart: their
 * times are shown together.
 */
export function attendeesOf(stays: readonly Stay[], now: Date): Attendee[] {
  const attendees = new Map<string, Attendee>()
  for (const { name, email, role, joinedOn, leftOn } of stays) {
    const key = email ?? ` ${name}`
    const attendee = attendees.get(key) ?? { key, name, email, role, presentMs: 0, times: [] }
    attendees.set(key, attendee)
    attendee.times.push({ joinedOn, leftOn })
    attendee.presentMs += Math.max(0, (leftOn === null ? now.getTime() : Date.parse(leftOn)) - Date.parse(joinedOn))
  }
  return [...attendees.values()]
}
