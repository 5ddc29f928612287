import type { TrackSource } from '@livekit/protocol'
import type { AdmittedPerson } from '../media-access.ts'
import type { MediaEngine } from './media-engine.ts'
import { trackSources } from './track-sources.ts'

/** Long enough to connect. Participants inside get new tokens from the engine; others enter again. */
const lifetimeSeconds = 120

const videoSources = [trackSources.camera, trackSources.screen]
const audioSources = [trackSources.microphone, trackSources.screenAudio]

/** The sources that a person may publish: a hard-muted person publishes no audio of any source. */
export const sourcesFor = ({ hardMuted }: { hardMuted: boolean }): TrackSource[] =>
  hardMuted ? videoSources : [...videoSources, ...audioSources]

/** The participant metadata, which all participants of the room see, and which participants cannot change. */
export const metadataFor = ({ role, guest }: Pick<AdmittedPerson, 'role' | 'guest'>): string =>
  JSON.stringify({ role, guest })

/** Issue a token for one person and one room, without admin rights and without the right to change name or role. */
export async function mediaTokenFor({ apiKey, apiSecret }: MediaEngine, person: AdmittedPerson): Promise<string> {
  // Loaded with the first call (decision 0106).
  const { AccessToken } = await import('livekit-server-sdk')
  const { meetingId, admissionId, name } = person
  const identity = { identity: admissionId, name, metadata: metadataFor(person) }
  const token = new AccessToken(apiKey, apiSecret, { ...identity, ttl: lifetimeSeconds })
  token.addGrant({
    room: meetingId,
    roomJoin: true,
    canPublish: true,
    canPublishSources: sourcesFor(person),
    canPublishData: true,
    canSubscribe: true,
    canUpdateOwnMetadata: false,
  })
  return token.toJwt()
}
