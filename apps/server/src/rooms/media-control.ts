import type { ParticipantInfo, TrackSource } from '@livekit/protocol'
import type { RoomServiceClient } from 'livekit-server-sdk'
import { problem } from '../platform/http/problem.ts'
import { inSpan } from '../platform/operation.ts'
import { startOfCall } from '../platform/outbound/traced-fetch.ts'
import type { MediaEngine } from './engine/media-engine.ts'
import { metadataFor, sourcesFor } from './engine/media-token.ts'
import { trackSources } from './engine/track-sources.ts'
import type { AdmittedPerson } from './media-access.ts'

/** A host waits for the answer. */
const requestTimeout = 3

export type { ParticipantInfo }

/** Whom a deed is about: the room is the meeting's id, the person inside the admission's. */
export type InRoom = { meetingId: string; admissionId: string }

/**
 * What is done to those inside. Whoever is not there any more is no failure.
 * @throws media_unavailable when the engine is away
 */
export type MediaControl = {
  listRooms(): Promise<string[]>
  listParticipants(meetingId: string): Promise<ParticipantInfo[]>
  removeParticipant(person: InRoom): Promise<void>
  /** Switch off what a participant sends of one source, and tell whether they are inside. They may switch it on again. */
  stopSource(person: InRoom, source: StoppableSource): Promise<boolean>
  /** What they may send from now on, and what others are told of them. */
  setRights(person: InRoom & Pick<AdmittedPerson, 'role' | 'hardMuted'>): Promise<void>
  /** Puts everybody out. */
  closeRoom(meetingId: string): Promise<void>
}

export type StoppableSource = 'microphone' | 'camera' | 'screen'

const sourcesToStop: Record<StoppableSource, readonly TrackSource[]> = {
  microphone: [trackSources.microphone],
  camera: [trackSources.camera],
  screen: [trackSources.screen, trackSources.screenAudio],
}

export function createMediaControl(engine: MediaEngine): MediaControl {
  async function call<T>(deed: (client: RoomServiceClient) => Promise<T>): Promise<T | undefined> {
    // Loaded with the first call (decision 0106).
    const { RoomServiceClient, ServerError } = await import('livekit-server-sdk')
    const address = await engine.apiAddress()
    const options = { requestTimeout, failover: false }
    try {
      const client = new RoomServiceClient(address, engine.apiKey, engine.apiSecret, options)
      // LiveKit's API is Twirp: every call is a POST.
      return await inSpan(startOfCall('POST', new URL(address)), () => deed(client))
    } catch (error) {
      if (error instanceof ServerError && error.code === 'not_found') return undefined
      throw problem('media_unavailable', { headers: { 'retry-after': '2' } })
    }
  }

  return {
    listRooms: async () => ((await call((client) => client.listRooms())) ?? []).map(({ name }) => name),
    listParticipants: async (meetingId) => (await call((client) => client.listParticipants(meetingId))) ?? [],
    async removeParticipant({ meetingId, admissionId }) {
      await call((client) => client.removeParticipant(meetingId, admissionId))
    },
    async stopSource({ meetingId, admissionId }, source) {
      const person = await call((client) => client.getParticipant(meetingId, admissionId))
      for (const { sid, source: published, muted } of person?.tracks ?? []) {
        if (!sourcesToStop[source].includes(published) || muted) continue
        await call((client) => client.mutePublishedTrack(meetingId, admissionId, sid, true))
      }
      return person !== undefined
    },
    async setRights(person) {
      const rights = { metadata: metadataFor(person), permission: permissionFor(person) }
      await call((client) => client.updateParticipant(person.meetingId, person.admissionId, rights))
    },
    async closeRoom(meetingId) {
      await call((client) => client.deleteRoom(meetingId))
    },
  }
}

const permissionFor = (person: Pick<AdmittedPerson, 'hardMuted'>) => ({
  canSubscribe: true,
  canPublish: true,
  canPublishData: true,
  canPublishSources: sourcesFor(person),
  canUpdateMetadata: false,
})

/** Whether somebody inside has just the rights that they are to have. */
export function hasRights(
  { permission, metadata }: ParticipantInfo,
  person: Pick<AdmittedPerson, 'role' | 'hardMuted'>,
) {
  const sources = new Set(permission?.canPublishSources)
  const wanted = sourcesFor(person)
  return metadata === metadataFor(person) && sources.size === wanted.length && wanted.every((one) => sources.has(one))
}
