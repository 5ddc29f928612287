import type { Codec, ParticipantInfo, Room, TrackInfo } from '@livekit/protocol'
import type { MediaDependencies } from './participant.ts'
import type { PendingJoins } from './pending-joins.ts'

/** The names of LiveKit's webhook events. */
export type RoomEventName =
  | 'room_started'
  | 'room_finished'
  | 'participant_joined'
  | 'participant_left'
  | 'participant_connection_aborted'
  | 'track_published'
  | 'track_unpublished'

export type RoomDependencies = MediaDependencies & {
  /** Shared by all rooms. */
  pending: PendingJoins
  /** The codecs that can be forwarded. */
  codecs: Codec[]
  report(event: RoomEventName, room: { toInfo(): Room }, participant?: ParticipantInfo, track?: TrackInfo): void
}
