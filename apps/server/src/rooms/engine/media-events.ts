import type { TrackSource, TrackType, WebhookEvent } from '@livekit/protocol'
import type { FastifyInstance } from 'fastify'
import { queueReconcileRoom } from '../../meetings/reconcile-room-job.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { problem } from '../../platform/http/problem.ts'
import { updateAdmission } from '../admission/admission-store.ts'
import { findPermittedParticipants } from '../admission/permitted-participants.ts'
import { recordParticipantEvents } from '../participant-events.ts'
import { connectionOf, notAfter, recordJoin, recordLeave, recordPastAttendance } from '../record-attendance.ts'
import { correctRights } from './correct-rights.ts'
import { trackSources } from './media-access.ts'
import type { ParticipantInfo } from './media-control.ts'
import type { MediaEngine } from './media-engine.ts'
import type { ReconcileDependencies } from './reconcile-rooms.ts'

const path = '/media/events'
/** An event has one room and one participant with their tracks. */
const maxEventBytes = 256 * 1024

/**
 * Receive LiveKit's webhooks, signed with the shared API key. The token has the digest of the body, so the raw body is
 * read. LiveKit delivers events again that fail here.
 */
export function serveMediaEvents(
  http: FastifyInstance,
  engine: MediaEngine,
  dependencies: ReconcileDependencies,
): void {
  void http.register(async (events) => {
    events.removeAllContentTypeParsers()
    const raw = { parseAs: 'string', bodyLimit: maxEventBytes } as const
    events.addContentTypeParser(
      ['application/webhook+json', 'application/json'],
      raw,
      async (_: unknown, body: string) => body,
    )
    events.post(path, async (request, reply) => {
      const body = typeof request.body === 'string' ? request.body : ''
      // Loaded with the first call (test/source/lazy-packages.test.ts).
      const { WebhookReceiver } = await import('livekit-server-sdk')
      const receiver = new WebhookReceiver(engine.apiKey, engine.apiSecret)
      const event = await receiver.receive(body, request.headers.authorization).catch(() => {
        throw problem('unauthorized')
      })
      await handleMediaEvent(dependencies, event)
      return reply.status(204).send()
    })
  })
}

/** LiveKit's number (livekit_models.proto): the package that holds it is loaded with the first call only. */
export const audioTrack = 0 satisfies TrackType.AUDIO

/**
 * Handle a webhook event of the engine. Events may be late, repeated and out of order; a failed one may be delivered
 * again, and `reconcileRoom` makes up for lost ones.
 */
export async function handleMediaEvent(
  dependencies: ReconcileDependencies,
  { event, room, participant, track, createdAt }: WebhookEvent,
) {
  const meetingId = room?.name ?? ''
  if (!isUuid(meetingId)) return
  const { database, clock } = dependencies
  if (event === 'room_finished') return queueReconcileRoom(database, meetingId)
  if (participant === undefined || participant.kind !== 0) return
  const now = clock.now()
  switch (event) {
    case 'participant_joined':
      return onParticipantJoined(dependencies, meetingId, participant, now)
    case 'participant_left': {
      const admission = await mayBeInside(dependencies, meetingId, participant, now)
      if (admission === 'elsewhere') return
      const leftAt = notAfter(now, Number(createdAt) * 1000)
      const ended = await recordLeave(database, meetingId, { participantSid: participant.sid }, leftAt, now)
      if (ended > 0 || admission === undefined) return
      return recordPastAttendance(dependencies, connectionOf(meetingId, participant, now), leftAt, now)
    }
    case 'track_published':
      if (track?.type === audioTrack && !isAudioSource(track.source))
        return onAudioPublished(dependencies, meetingId, participant, now)
  }
}

/**
 * Record the participant, or disconnect one without an admission: LiveKit tokens cannot be revoked, so this check
 * enforces removals.
 */
async function onParticipantJoined(
  dependencies: ReconcileDependencies,
  meetingId: string,
  participant: ParticipantInfo,
  now: Date,
) {
  const admission = await mayBeInside(dependencies, meetingId, participant, now)
  if (admission === 'elsewhere') return
  if (admission !== undefined) {
    await recordJoin(dependencies, connectionOf(meetingId, participant, now), now)
    // The token may be older than what a host has decided since.
    return correctRights(dependencies.control, meetingId, participant, admission).catch(() =>
      queueReconcileRoom(dependencies.database, meetingId),
    )
  }
  await disconnect(dependencies, meetingId, participant.identity)
}

/** The engine itself refuses these to a hard-muted participant. Tracks that were published before are no attempt. */
const isAudioSource = (source: TrackSource) => source === trackSources.microphone || source === trackSources.screenAudio

/**
 * Remove and deny a hard-muted participant who publishes audio under another source. Parley's own page never does that.
 */
async function onAudioPublished(
  dependencies: ReconcileDependencies,
  meetingId: string,
  participant: ParticipantInfo,
  now: Date,
) {
  const admission = await mayBeInside(dependencies, meetingId, participant, now)
  if (admission === undefined || admission === 'elsewhere' || admission.allowed.microphone) return
  dependencies.log.warn(
    { meetingId, admissionId: admission.id },
    'a hard-muted participant published audio and is removed',
  )
  await inTransaction(dependencies.database, async (tx) => {
    await updateAdmission(tx, admission.id, { state: 'denied', decidedAt: now })
    await recordParticipantEvents(tx, 'participant.denied', [admission.id], null, now)
  })
  await disconnect(dependencies, meetingId, admission.id)
}

async function disconnect(dependencies: ReconcileDependencies, meetingId: string, admissionId: string) {
  try {
    await dependencies.control.removeParticipant({ meetingId, admissionId })
  } catch {
    await queueReconcileRoom(dependencies.database, meetingId)
  }
}

/** `elsewhere`: the room is not a meeting of this service. */
async function mayBeInside(
  dependencies: ReconcileDependencies,
  meetingId: string,
  { identity }: ParticipantInfo,
  now: Date,
) {
  const permitted = await findPermittedParticipants(dependencies, meetingId, isUuid(identity) ? [identity] : [], now)
  return permitted === undefined ? 'elsewhere' : permitted.get(identity)
}
