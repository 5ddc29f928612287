import type { ParticipantInfo, TrackSource } from '@livekit/protocol'
import type { RoomServiceClient } from 'livekit-server-sdk'
import { problem } from '../../platform/http/problem.ts'
import { inSpan } from '../../platform/operation.ts'
import { startOfCall } from '../../platform/outbound/traced-fetch.ts'
import {
  type AdmittedPerson,
  attributesFor,
  metadataFor,
  permissionFor,
  sourcesFor,
  trackSources,
} from './media-access.ts'
import type { MediaEngine } from './media-engine.ts'

/** Short, because a host waits for the answer. */
const requestTimeoutSeconds = 3

export type { ParticipantInfo }

/**
 * What an engine knows of a participant in addition to the name: what the participant may publish, and what others see.
 */
type ShownRights = Pick<AdmittedPerson, 'role' | 'guest' | 'allowed' | 'breakoutRoom'>

/** A participant of a room: LiveKit's room name is the meeting's id, the participant identity the admission's id. */
type RoomParticipant = { meetingId: string; admissionId: string }

/**
 * Controls rooms and participants through LiveKit's RoomService. A participant who has left is not an error.
 * @throws media_unavailable if the engine cannot be reached
 */
export type MediaControl = {
  listRooms(): Promise<string[]>
  listParticipants(meetingId: string): Promise<ParticipantInfo[]>
  removeParticipant(participant: RoomParticipant): Promise<void>
  /**
   * Mute a participant's tracks of one source. Return whether the participant is inside. The participant may unmute the
   * tracks again.
   */
  stopSource(participant: RoomParticipant, source: StoppableSource): Promise<boolean>
  /** Set what a participant may publish, the breakout room, and the role that others see. */
  setRights(participant: RoomParticipant & ShownRights): Promise<void>
  /** Set the name that others see, which must not be empty. */
  setName(participant: RoomParticipant, name: string): Promise<void>
  /** Disconnect all participants. */
  closeRoom(meetingId: string): Promise<void>
}

type StoppableSource = 'microphone' | 'camera' | 'screen'

const sourcesToStop: Record<StoppableSource, readonly TrackSource[]> = {
  microphone: [trackSources.microphone],
  camera: [trackSources.camera],
  screen: [trackSources.screen, trackSources.screenAudio],
}

export function createMediaControl(engine: MediaEngine): MediaControl {
  async function call<T>(request: (client: RoomServiceClient) => Promise<T>): Promise<T | undefined> {
    // Loaded with the first call (test/source/lazy-packages.test.ts).
    const { RoomServiceClient, ServerError } = await import('livekit-server-sdk')
    const address = await engine.apiAddress()
    const options = { requestTimeout: requestTimeoutSeconds, failover: false }
    try {
      const client = new RoomServiceClient(address, engine.apiKey, engine.apiSecret, options)
      // LiveKit's API is Twirp: every call is a POST.
      return await inSpan(startOfCall('POST', new URL(address)), () => request(client))
    } catch (error) {
      if (error instanceof ServerError && error.code === 'not_found') return undefined
      throw problem('media_unavailable', { retryAfterSeconds: 2 })
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
      const rights = {
        metadata: metadataFor(person),
        permission: permissionFor(person.allowed),
        attributes: attributesFor(person),
      }
      await call((client) => client.updateParticipant(person.meetingId, person.admissionId, rights))
    },
    async setName({ meetingId, admissionId }, name) {
      await call((client) => client.updateParticipant(meetingId, admissionId, { name }))
    },
    async closeRoom(meetingId) {
      await call((client) => client.deleteRoom(meetingId))
    },
  }
}

/** Whether a participant has exactly the rights, the breakout room and the role that this person is to have. */
export function hasRights({ permission, metadata, attributes }: ParticipantInfo, person: ShownRights) {
  const sources = new Set(permission?.canPublish === false ? [] : permission?.canPublishSources)
  const wanted = sourcesFor(person.allowed)
  const areSourcesEqual = sources.size === wanted.length && wanted.every((source) => sources.has(source))
  const areAttributesEqual = Object.entries(attributesFor(person)).every(
    ([name, value]) => (attributes[name] ?? '') === value,
  )
  return metadata === metadataFor(person) && areSourcesEqual && areAttributesEqual
}
