import type { Participant, Room, RoomSnapshot } from '@parley/client/join'
import { createContext, useContext, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import type { RoomEffects } from './effects/use-room-effects.ts'
import type { Named } from './GuestBadge.tsx'

/** The current room, the code and PIN with which it was joined, and what can be done to picture and sound. */
type Visited = { room: Room; code: string; pin: string | undefined; effects: RoomEffects }

const VisitedRoom = createContext<Visited | undefined>(undefined)
export const VisitedRoomProvider = VisitedRoom.Provider

export function useVisited(): Visited {
  const visited = useContext(VisitedRoom)
  if (visited === undefined) throw new TypeError('This part belongs into a room.')
  return visited
}

const useSnapshotOf = (room: Room): RoomSnapshot => useSyncExternalStore(room.subscribe, room.snapshot)

export const useSnapshot = (): RoomSnapshot => useSnapshotOf(useVisited().room)

/** The caller first, then the others in the order of joining. */
export const allParticipants = ({ me, others }: RoomSnapshot): readonly Participant[] =>
  me === null ? others : [me, ...others]

export const isHosting = ({ role }: RoomSnapshot): boolean => role === 'host' || role === 'cohost'

/**
 * A person's name in a sentence. What a person without an account has entered could be the name of another person, and
 * is marked.
 */
export function useNameOf(): (person: Named) => string {
  const { t } = useTranslation(['room', 'app'])
  return ({ name, isGuest }) => {
    if (name === '') return t('app:guest')
    return isGuest ? t('guestName', { name }) : name
  }
}
