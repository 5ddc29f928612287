import type { TrackType, WebhookEvent } from '@livekit/protocol'
import { queueReconcileRoom } from '../../meetings/reconcile-room-job.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { changeAdmission } from '../admission/admission-store.ts'
import { findPermittedParticipants } from '../admission/find-permitted-participants.ts'
import { noteJoined, noteLeft, noteWasThere } from '../attendance/room-history.ts'
import { connectionOf, notAfter } from '../attendance/room-report.ts'
import type { ParticipantInfo } from '../media-control.ts'
import type { ReconcileDependencies } from './reconcile-room.ts'

/** LiveKit's number (livekit_models.proto): the package that holds it is loaded with the first call only (decision 0106). */
export const audioTrack = 0 satisfies TrackType.AUDIO

/**
 * Does what a report of the engine asks for. Reports come late, twice, and in any order; one that fails may be given again,
 * and one that is lost is made up for by `reconcileRoom`.
 */
export async function handleMediaEvent(
  means: ReconcileDependencies,
  { event, room, participant, track, createdAt }: WebhookEvent,
) {
  const meetingId = room?.name ?? ''
  if (!isUuid(meetingId)) return
  const { database, clock } = means
  if (event === 'room_finished') return queueReconcileRoom(database, meetingId)
  if (participant === undefined || participant.kind !== 0) return
  const now = clock.now()
  switch (event) {
    case 'participant_joined':
      return onParticipantJoined(means, meetingId, participant, now)
    case 'participant_left': {
      const admission = await mayBeInside(means, meetingId, participant, now)
      if (admission === 'elsewhere') return
      const leftAt = notAfter(now, Number(createdAt) * 1000)
      const ended = await noteLeft(database, meetingId, { participantSid: participant.sid }, leftAt, now)
      if (ended > 0 || admission === undefined) return
      return noteWasThere(means, connectionOf(meetingId, participant, now), leftAt, now)
    }
    case 'track_published':
      if (track?.type === audioTrack) return onAudioPublished(means, meetingId, participant, now)
  }
}

/** Who comes without being let in is put out: this is what makes a removal hold, whatever tokens somebody has kept. */
async function onParticipantJoined(
  means: ReconcileDependencies,
  meetingId: string,
  participant: ParticipantInfo,
  now: Date,
) {
  const admission = await mayBeInside(means, meetingId, participant, now)
  if (admission === 'elsewhere') return
  if (admission !== undefined) return noteJoined(means, connectionOf(meetingId, participant, now), now)
  await putOut(means, meetingId, participant.identity)
}

/**
 * Whose microphone is kept from them sends no sound by another name either. No page of ours does that: whoever does is
 * turned away.
 */
async function onAudioPublished(
  means: ReconcileDependencies,
  meetingId: string,
  participant: ParticipantInfo,
  now: Date,
) {
  const admission = await mayBeInside(means, meetingId, participant, now)
  if (admission === undefined || admission === 'elsewhere' || !admission.hardMuted) return
  means.log.warn(
    { meetingId, admissionId: admission.id },
    'somebody who is muted for good sent sound; they are put out',
  )
  await changeAdmission(means.database, admission.id, { state: 'denied', decidedAt: now })
  await putOut(means, meetingId, admission.id)
}

async function putOut(means: ReconcileDependencies, meetingId: string, admissionId: string) {
  try {
    await means.control.removeParticipant({ meetingId, admissionId })
  } catch {
    await queueReconcileRoom(means.database, meetingId)
  }
}

/** `elsewhere`: it is no meeting of ours. */
async function mayBeInside(means: ReconcileDependencies, meetingId: string, { identity }: ParticipantInfo, now: Date) {
  const allowed = await findPermittedParticipants(means, meetingId, isUuid(identity) ? [identity] : [], now)
  return allowed === undefined ? 'elsewhere' : allowed.get(identity)
}
