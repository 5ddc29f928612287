import { ParticipantInfo, type ParticipantInfo_State, type ParticipantPermission } from '@livekit/protocol'
import type { Publishing } from '../tracks/publishing.ts'

/** What an access token says of its bearer. */
export type Person = {
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
  person: Person
  publishing: Publishing
  joinedMs: number
}

/** Write a participant as LiveKit's protocol has it. */
export function describeParticipant(participant: Described, version: number): ParticipantInfo {
  const { sid, identity, state, person, publishing, joinedMs } = participant
  const { name, metadata, attributes, permission } = person
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
