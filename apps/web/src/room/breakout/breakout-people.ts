import type { RoomSnapshot } from '@parley/client/join'
import type { RoomRole } from '@parley/contract'
import { divideEvenly } from '@parley/rules/rooms/breakout-rooms'
import { allParticipants } from '../room-context.ts'

/** A person of the call and the breakout room that they are in; null for the main room. */
export type PlacedPerson = {
  id: string
  name: string
  isGuest: boolean
  isMe: boolean
  room: string | null
  /** Undefined where the caller, who is no host, does not know. */
  role: RoomRole | undefined
  asksForHelp: boolean
}

/** Everyone in the call: for hosts as the service lists them, for others as the media engine shows them. */
export function placedPeople(snapshot: RoomSnapshot): PlacedPerson[] {
  const { me, hostView, breakout, elsewhere } = snapshot
  if (hostView !== null) {
    return hostView.participants.map(({ admissionId: id, name, guest, role, breakoutRoom, helpAskedOn }) => ({
      id,
      name,
      isGuest: guest,
      isMe: id === me?.id,
      room: breakoutRoom,
      role,
      asksForHelp: helpAskedOn !== null,
    }))
  }
  const room = breakout?.room ?? null
  return [
    ...allParticipants(snapshot).map(({ id, name, isGuest, isMe, role }) => ({ id, name, isGuest, isMe, room, role })),
    ...elsewhere.map(({ breakoutRoom, ...one }) => ({ ...one, isMe: false, room: breakoutRoom, role: undefined })),
  ].map((one) => ({ ...one, asksForHelp: false }))
}

/** The rooms' indexes by person; people who are absent stay in the main room. */
export type Places = Readonly<Record<string, number>>

/** Divide people evenly, in their order. */
export const placesOf = (ids: readonly string[], rooms: number): Places =>
  Object.fromEntries(divideEvenly(ids, rooms).flatMap((group, room) => group.map((id) => [id, room] as const)))

/** Move one person; `undefined` for the main room. */
export function withPlace(places: Places, id: string, room: number | undefined): Places {
  const { [id]: _, ...others } = places
  return room === undefined ? others : { ...others, [id]: room }
}

/** The places in the rooms that remain when there are fewer. */
export const withinRooms = (places: Places, rooms: number): Places =>
  Object.fromEntries(Object.entries(places).filter(([, room]) => room < rooms))

/** The people of each room, by their ids. */
export const groupsOf = (places: Places, rooms: number): string[][] =>
  Array.from({ length: rooms }, (_, at) => Object.keys(places).filter((id) => places[id] === at))

export function shuffled<Item>(items: readonly Item[]): Item[] {
  const keys = crypto.getRandomValues(new Uint32Array(items.length))
  return items
    .map((item, at) => ({ item, key: keys[at] ?? 0 }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ item }) => item)
}
