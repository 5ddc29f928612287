import { type ParticipantInfo, type Room, type TrackInfo, WebhookEvent } from '@livekit/protocol'
import type { Random } from '../../platform/random.ts'
import { generateSid } from '../tracks/sid.ts'
import type { RoomEventName } from './room-dependencies.ts'

type RoomEvent = {
  name: RoomEventName
  room: { toInfo(): Room }
  participant: ParticipantInfo | undefined
  track: TrackInfo | undefined
}

/** The body of the webhook that LiveKit would send. */
export function describeEvent({ name, room, participant, track }: RoomEvent, random: Random, nowMs: number): unknown {
  return new WebhookEvent({
    event: name,
    room: room.toInfo(),
    ...(participant === undefined ? {} : { participant }),
    ...(track === undefined ? {} : { track }),
    id: generateSid(random, 'EV_'),
    createdAt: BigInt(Math.floor(nowMs / 1000)),
  }).toJson()
}
