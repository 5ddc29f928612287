import { type Codec, Room } from '@livekit/protocol'
import type { Participant } from './participant.ts'
import type { RoomSettings } from './room-settings.ts'

type Described = {
  sid: string
  name: string
  settings: RoomSettings
  createdMs: number
  participants: readonly Participant[]
}

/** Describe a room in LiveKit's protocol. */
export function describeRoom(room: Described, enabledCodecs: Codec[]): Room {
  const { sid, name, settings, createdMs, participants } = room
  return new Room({
    sid,
    name,
    ...settings,
    creationTime: BigInt(Math.floor(createdMs / 1000)),
    creationTimeMs: BigInt(createdMs),
    numParticipants: participants.length,
    numPublishers: participants.filter(({ publishing }) => publishing.all.length > 0).length,
    enabledCodecs,
  })
}
