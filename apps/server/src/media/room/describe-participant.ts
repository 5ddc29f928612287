import { ParticipantInfo, type ParticipantInfo_State, type ParticipantPermission } from '@livekit/protocol'
import type { PublishedTracks } from '../tracks/published-tracks.ts'

/** The claims of an access token about its participant. */
export type ParticipantProfile = {
  identity: string
  name: string
  metadata: string
  attributes: Record<string, string>
  permission: ParticipantPermission
}

type Described = {
  sid: string
  identity: string
  state: ParticipantInfo_State
  profile: ParticipantProfile
  publishing: PublishedTracks
  joinedMs: number
}

/** Describe a participant in LiveKit's protocol. */
export function describeParticipant(participant: Described, version: number): ParticipantInfo {
  const { sid, identity, state, profile, publishing, joinedMs } = participant
  const { name, metadata, attributes, permission } = profile
  const tracks = publishing.all.map(({ info }) => info.clone())
  return new ParticipantInfo({
    sid,
    identity,
    state,
    tracks,
    name,
    metadata,
    attributes,
    permission,
    joinedAt: BigInt(Math.floor(joinedMs / 1000)),
    joinedAtMs: BigInt(joinedMs),
    version,
    isPublisher: tracks.length > 0,
  })
}
