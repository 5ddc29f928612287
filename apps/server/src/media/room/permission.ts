import { type DataPacket, ParticipantPermission, TrackSource } from '@livekit/protocol'
import type { VideoGrant } from './livekit-token.ts'

const sourceNames: Record<string, TrackSource> = {
  camera: TrackSource.CAMERA,
  microphone: TrackSource.MICROPHONE,
  screen_share: TrackSource.SCREEN_SHARE,
  screen_share_audio: TrackSource.SCREEN_SHARE_AUDIO,
}

/** The permissions of a token. As in LiveKit, an absent grant is allowed, except updating one's own metadata. */
export function permissionOf(grant: VideoGrant): ParticipantPermission {
  const { canPublishSources = [] } = grant
  const sources = canPublishSources.map((name) => sourceNames[name.toLowerCase()] ?? TrackSource.UNKNOWN)
  return new ParticipantPermission({
    canSubscribe: grant.canSubscribe ?? true,
    canPublish: grant.canPublish ?? true,
    canPublishData: grant.canPublishData ?? true,
    canPublishSources: sources,
    canUpdateMetadata: grant.canUpdateOwnMetadata ?? false,
    hidden: grant.hidden ?? false,
  })
}

/** The grant of a refreshed token, from the participant's current permissions. */
export function grantOfPermission(permission: ParticipantPermission, room: string): VideoGrant {
  const names = Object.entries(sourceNames)
  return {
    room,
    roomJoin: true,
    canSubscribe: permission.canSubscribe,
    canPublish: permission.canPublish,
    canPublishData: permission.canPublishData,
    canUpdateOwnMetadata: permission.canUpdateMetadata,
    hidden: permission.hidden,
    ...(permission.canPublishSources.length === 0
      ? {}
      : {
          canPublishSources: permission.canPublishSources.map(
            (source) => names.find(([, value]) => value === source)?.[0] ?? 'unknown',
          ),
        }),
  }
}

/**
 * Beyond LiveKit: an attribute that lists the only topics of data that a participant may send. Only the service can set
 * it.
 */
const topicsAttribute = 'parley.topics'

/** Without the attribute, a participant may send data of every kind. With it, other kinds would carry any topic. */
export const maySendData = (attributes: Readonly<Record<string, string>>, packet: DataPacket): boolean => {
  const topics = attributes[topicsAttribute]
  if (topics === undefined) return true
  return packet.value.case === 'user' && topics.split(' ').includes(packet.value.value.topic ?? '')
}

/** Beyond LiveKit: an attribute that names the breakout room of a participant; absent in the main room. */
const breakoutAttribute = 'parley.breakout-room'

/** The breakout room of a participant; empty for the main room. */
export const breakoutRoomOf = ({ attributes }: Attributed): string => attributes[breakoutAttribute] ?? ''

/** The attributes of a participant who is put into a breakout room; into the main room by an empty name. */
export function withBreakoutRoom(attributes: Readonly<Record<string, string>>, name: string): Record<string, string> {
  const { [breakoutAttribute]: _, ...others } = attributes
  return name === '' ? others : { ...others, [breakoutAttribute]: name }
}

/** Only participants in the same breakout room, or both in the main room, hear, see and write to each other. */
export const areTogether = (one: Attributed, other: Attributed): boolean =>
  breakoutRoomOf(one) === breakoutRoomOf(other)

type Attributed = { attributes: Readonly<Record<string, string>> }

/** An empty list of sources allows all. */
export const mayPublish = ({ canPublish, canPublishSources }: ParticipantPermission, source: TrackSource) =>
  canPublish && (canPublishSources.length === 0 || canPublishSources.includes(source))
