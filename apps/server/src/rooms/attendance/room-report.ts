import type { ParticipantInfo_State } from '@livekit/protocol'
import type { ParticipantInfo } from '../media-control.ts'
import type { Connection } from './attendance-record-store.ts'

/** LiveKit's number (livekit_models.proto): the package that holds it is loaded with the first call only (decision 0106). */
export const activeState = 2 satisfies ParticipantInfo_State.ACTIVE

/** Whether sound and pictures go to and fro; before that, somebody is only about to come. */
export const isConnected = ({ state }: ParticipantInfo) => state === activeState

/** Of a participant, what history keeps. An engine whose clock is ahead of ours tells of nothing that is yet to come. */
export const connectionOf = (meetingId: string, participant: ParticipantInfo, now: Date): Connection => ({
  meetingId,
  admissionId: participant.identity,
  participantSid: participant.sid,
  joinedAt: notAfter(now, Number(participant.joinedAtMs) || Number(participant.joinedAt) * 1000),
})

export const notAfter = (now: Date, ms: number): Date => (ms > 0 && ms < now.getTime() ? new Date(ms) : now)
