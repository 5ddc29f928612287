import { DisconnectReason } from '@livekit/protocol'

/**
 * Why a participant is sent away who keeps sending far beyond every limit. LiveKit has no reason for it; this one is otherwise
 * used for telephone calls only, so that a client can tell (packages/client/src/join/attend.ts).
 */
export const tooMuchSent = DisconnectReason.USER_REJECTED
