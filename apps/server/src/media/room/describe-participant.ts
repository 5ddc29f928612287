import { ParticipantInfo } from '@livekit/protocol'
import type { Participant } from './participant.ts'

/** A participant as LiveKit's protocol tells of it. */
export function describeParticipant(participant: Participant, version: number): ParticipantInfo {
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
