import type { ParticipantInfo_State } from '@livekit/protocol'
import type { ParticipantInfo } from '../media-control.ts'
import type { Connection } from './attendance-record-store.ts'

/**
 * LiveKit's number (livekit_models.proto): the package that holds it is loaded with the first call only (decision
 * 0106).
 */
export const activeState = 2 satisfies ParticipantInfo_State.ACTIVE

/** Whether media flows. In the states before, the participant is still joining. */
export const isConnected = ({ state }: ParticipantInfo) => state === activeState

/**
 * The connection of a participant as attendance stores it. `joinedAt` is at most `now`, even if the engine's clock is
 * ahead.
 */
export const connectionOf = (meetingId: string, participant: ParticipantInfo, now: Date): Connection => ({
  meetingId,
  admissionId: participant.identity,
  participantSid: participant.sid,
  joinedAt: notAfter(now, Number(participant.joinedAtMs) || Number(participant.joinedAt) * 1000),
})

/** The time `ms` (Unix milliseconds, 0 if unknown), but at most `now`. */
export const notAfter = (now: Date, ms: number): Date => (ms > 0 && ms < now.getTime() ? new Date(ms) : now)
