import { type Codec, Room } from '@livekit/protocol'
import type { MediaRoom } from './media-room.ts'

/** A room as LiveKit's protocol tells of it. */
export function describeRoom(room: MediaRoom, enabledCodecs: Codec[]): Room {
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
