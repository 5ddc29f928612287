import { roomRoles } from '@parley/contract'
import { ConnectionQuality, type Participant as LivekitParticipant, Track, type TrackPublication } from 'livekit-client'
import type { Participant, ConnectionQuality as Quality, RoomTrack } from './room.ts'

const qualities: Record<ConnectionQuality, Quality> = {
  [ConnectionQuality.Unknown]: 'unknown',
  [ConnectionQuality.Lost]: 'lost',
  [ConnectionQuality.Poor]: 'poor',
  [ConnectionQuality.Good]: 'good',
  [ConnectionQuality.Excellent]: 'excellent',
}

/** Convert LiveKit's participant. The metadata of the token was written by the service. */
export function viewParticipant(
  participant: LivekitParticipant,
  handPlace: number | null,
  viewTrack: (track: Track) => RoomTrack,
  receivesVideo: boolean,
): Participant {
  const shown = (source: Track.Source) => {
    const publication = participant.getTrackPublication(source)
    if (publication?.track === undefined || publication.isMuted || !hasMatchingKind(publication)) return null
    return viewTrack(publication.track)
  }
  const isPaused = (source: Track.Source) =>
    shown(source) !== null && participant.getTrackPublication(source)?.track?.streamState === Track.StreamState.Paused
  const isOff = !participant.isLocal && !receivesVideo
  return {
    id: participant.identity,
    name: participant.name ?? '',
    ...identityIn(participant.metadata),
    isMe: participant.isLocal,
    muted: !participant.isMicrophoneEnabled,
    microphone: shown(Track.Source.Microphone),
    camera: isOff ? null : shown(Track.Source.Camera),
    isVideoPaused: !isOff && isPaused(Track.Source.Camera),
    isScreenPaused: isPaused(Track.Source.ScreenShare),
    screen: shown(Track.Source.ScreenShare),
    screenAudio: shown(Track.Source.ScreenShareAudio),
    speaking: participant.isSpeaking,
    quality: qualities[participant.connectionQuality] ?? 'unknown',
    handPlace,
  }
}

/** An empty list of sources means all of them. Before the server has sent permissions, it decides. */
export function maySpeak({ permissions }: LivekitParticipant): boolean {
  if (permissions === undefined) return true
  const { canPublish, canPublishSources } = permissions
  const isListed = canPublishSources.some((source) => source === Track.sourceToProto(Track.Source.Microphone))
  return canPublish && (canPublishSources.length === 0 || isListed)
}

const audioSources: readonly Track.Source[] = [Track.Source.Microphone, Track.Source.ScreenShareAudio]

/**
 * Whether a track's kind matches its source. A participant without the right to speak can publish audio as a camera,
 * which LiveKit accepts; it is not played.
 */
export const hasMatchingKind = ({ kind, source }: Pick<TrackPublication, 'kind' | 'source'>): boolean =>
  (kind === Track.Kind.Audio) === audioSources.includes(source)

/**
 * Read what the service says of a participant. The metadata is JSON in the token that the service has signed; a
 * participant cannot change it.
 */
export function identityIn(metadata: string | undefined): Pick<Participant, 'role' | 'isGuest'> {
  try {
    const { role, guest } = Object(JSON.parse(metadata ?? ''))
    return { role: roomRoles.find((one) => one === role) ?? 'participant', isGuest: guest !== false }
  } catch {
    return { role: 'participant', isGuest: true }
  }
}
