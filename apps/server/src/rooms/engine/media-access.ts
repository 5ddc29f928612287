import { createHmac } from 'node:crypto'
import type { TrackSource } from '@livekit/protocol'
import {
  type AllowedRights,
  breakoutAttribute,
  dataTopics,
  type RoomMedia,
  type RoomRole,
  topicsAttribute,
} from '@parley/contract'
import type { TurnConfig } from '../../platform/config/config-media.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Random } from '../../platform/random.ts'
import type { MediaEngine } from './media-engine.ts'

/**
 * LiveKit's numbers for what a track shows (`TrackSource` of livekit_models.proto). They are here because the package
 * that holds them is loaded with the first call only.
 */
export const trackSources = {
  camera: 1 satisfies TrackSource.CAMERA,
  microphone: 2 satisfies TrackSource.MICROPHONE,
  screen: 3 satisfies TrackSource.SCREEN_SHARE,
  screenAudio: 4 satisfies TrackSource.SCREEN_SHARE_AUDIO,
}

/** An admitted person, as the media engine knows them. */
export type AdmittedPerson = {
  meetingId: string
  /** The participant identity in the room, which cannot be guessed and reveals nothing about the person. */
  admissionId: string
  /** As other participants see it; empty for a guest without a name. */
  name: string
  role: RoomRole
  /** A guest has no account: the name is only what the guest entered. */
  guest: boolean
  allowed: AllowedRights
  /** The breakout room that the person is in; null for the main room. */
  breakoutRoom: string | null
}

/** Grants admitted people access to media. */
export type MediaAccess = {
  /**
   * Grant one person access to one room for two minutes. Call it only after the admission is committed.
   * @throws media_unavailable
   */
  grant(person: AdmittedPerson): Promise<RoomMedia>
}

/** Create media access over an engine: a LiveKit token, and credentials for TURN servers. */
export const createMediaAccess = (
  engine: MediaEngine,
  { config, random, clock }: Pick<Platform, 'config' | 'random' | 'clock'>,
): MediaAccess => ({
  async grant(person) {
    // Fail here with 503 if the engine is not available, rather than with a failing connection.
    await engine.apiAddress()
    const token = await mediaTokenFor(engine, person)
    return { url: engine.url, token, iceServers: turnServersFor(config.turn, random, clock.now()) }
  },
})

/** Long enough to connect. Participants inside get new tokens from the engine; others enter again. */
const tokenLifetimeSeconds = 120

/** The sources that a person may publish: a hard-muted person publishes no audio of any source. */
export const sourcesFor = ({ microphone, camera, screen }: AllowedRights): TrackSource[] => [
  ...(camera ? [trackSources.camera] : []),
  ...(screen ? [trackSources.screen] : []),
  ...(microphone ? [trackSources.microphone] : []),
  ...(microphone && screen ? [trackSources.screenAudio] : []),
]

/** What the engine lets a person send. LiveKit takes an empty list of sources for all of them. */
export function permissionFor(allowed: AllowedRights) {
  const canPublishSources = sourcesFor(allowed)
  const canPublish = canPublishSources.length > 0
  return { canSubscribe: true, canPublish, canPublishData: true, canPublishSources, canUpdateMetadata: false }
}

/** The value of `topicsAttribute` for the embedded engine; empty, which removes it, where all topics are allowed. */
export function topicsFor({ microphone, chat, reactions }: AllowedRights): string {
  const topics = [
    dataTopics.signals,
    ...(chat ? [dataTopics.chat] : []),
    ...(reactions ? [dataTopics.reactions] : []),
    // Captions are speech as text: a person who may not speak may not write over the stage either (decision 0178).
    ...(microphone ? [dataTopics.captions] : []),
  ]
  return topics.length === Object.keys(dataTopics).length ? '' : topics.join(' ')
}

/** What the embedded engine enforces beyond LiveKit's permissions. An empty value removes an attribute. */
export const attributesFor = ({ allowed, breakoutRoom }: Pick<AdmittedPerson, 'allowed' | 'breakoutRoom'>) => ({
  [topicsAttribute]: topicsFor(allowed),
  [breakoutAttribute]: breakoutRoom ?? '',
})

/** The participant metadata, which all participants of the room see, and which participants cannot change. */
export const metadataFor = ({ role, guest }: Pick<AdmittedPerson, 'role' | 'guest'>): string =>
  JSON.stringify({ role, guest })

/** Issue a token for one person and one room, without admin rights and without the right to change name or role. */
async function mediaTokenFor({ apiKey, apiSecret }: MediaEngine, person: AdmittedPerson): Promise<string> {
  // Loaded with the first call (test/source/lazy-packages.test.ts).
  const { AccessToken } = await import('livekit-server-sdk')
  const { meetingId, admissionId, name, allowed } = person
  const attributes = Object.fromEntries(Object.entries(attributesFor(person)).filter(([, value]) => value !== ''))
  const identity = { identity: admissionId, name, metadata: metadataFor(person), attributes }
  const { canSubscribe, canPublish, canPublishData, canPublishSources } = permissionFor(allowed)
  const token = new AccessToken(apiKey, apiSecret, { ...identity, ttl: tokenLifetimeSeconds })
  token.addGrant({
    room: meetingId,
    roomJoin: true,
    canPublish,
    canPublishSources,
    canPublishData,
    canSubscribe,
    canUpdateOwnMetadata: false,
  })
  return token.toJwt()
}

/** The maximum length of a meeting: the relay checks the credentials at each refresh of an allocation. */
const turnLifetimeSeconds = 24 * 60 * 60
/** 128 bits, so that a name can neither be guessed nor traced to a person. */
const nameBytes = 16

/**
 * Create credentials for the operator's TURN servers, for one person (draft-uberti-behave-turn-rest-00, 2.2; coturn's
 * `use-auth-secret`). The TURN server derives them from the shared secret, without any request.
 */
export function turnServersFor(turn: TurnConfig | undefined, random: Random, now: Date): RoomMedia['iceServers'] {
  if (turn === undefined) return []
  const expiresAt = Math.floor(now.getTime() / 1000) + turnLifetimeSeconds
  const username = `${expiresAt}:${random.bytes(nameBytes).toString('hex')}`
  const credential = createHmac('sha1', turn.secret).update(username).digest('base64')
  return [{ urls: [...turn.urls], username, credential }]
}
