import { ParticipantInfo_State } from '@livekit/protocol'
import type { ParticipantInfo } from '../media-control.ts'
import type { Connection } from './attendance-record-store.ts'

/** Whether sound and pictures go to and fro; before that, somebody is only about to come. */
export const isConnected = ({ state }: ParticipantInfo) => state === ParticipantInfo_State.ACTIVE

/** Of a participant, what history keeps. An engine whose clock is ahead of ours tells of nothing that is yet to come. */
export const connectionOf = (meetingId: string, participant: ParticipantInfo, now: Date): Connection => ({
  meetingId,
  admissionId: participant.identity,
  participantSid: participant.sid,
  joinedAt: notAfter(now, Number(participant.joinedAtMs) || Number(participant.joinedAt) * 1000),
})

export const notAfter = (now: Date, ms: number): Date => (ms > 0 && ms < now.getTime() ? new Date(ms) : now)
