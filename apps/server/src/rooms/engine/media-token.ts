import type { TrackSource } from '@livekit/protocol'
import type { AdmittedPerson } from '../media-access.ts'
import type { MediaEngine } from './media-engine.ts'
import { trackSources } from './track-sources.ts'

/** Long enough to connect. Who is inside is sent a fresh one by the engine; who is outside asks again. */
const lifetimeSeconds = 120

const silentSources = [trackSources.camera, trackSources.screen]
const soundSources = [trackSources.microphone, trackSources.screenAudio]

/** What somebody may send: whoever is muted for good sends no sound, from wherever it comes. */
export const sourcesFor = ({ hardMuted }: { hardMuted: boolean }): TrackSource[] =>
  hardMuted ? silentSources : [...silentSources, ...soundSources]

/** What LiveKit shows to everybody in the room. */
export const metadataFor = ({ role }: Pick<AdmittedPerson, 'role'>): string => JSON.stringify({ role })

/** The right of one person to be in one room, and to nothing else: no administration, no name or role of their own choice. */
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
