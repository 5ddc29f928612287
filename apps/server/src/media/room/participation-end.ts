import { DisconnectReason, LeaveRequest_Action } from '@livekit/protocol'

/** How long a participant may be without a signal socket: the client retries for about as long. */
const awayLimitMs = 20_000
/**
 * How long after its transport a leaving client may close its socket; and an unconnected one may be without a socket.
 */
const closeLimitMs = 2000
/** How long ICE and DTLS may take after the join. */
const connectLimitMs = 20_000
/** Browsers check every few seconds; RFC 7675 gives up after thirty. */
const silenceLimitMs = 30_000

/** The state of a participant's connections; undefined for what has not happened. */
export type Connections = {
  joinedMs: number
  /** Whether it ever connected. */
  isActive: boolean
  /** Since when there is no signal socket. */
  awaySinceMs: number | undefined
  /** Since when the transport has ended. */
  lostSinceMs: number | undefined
  /** The time of the client's last ICE check. */
  lastCheckMs: number | undefined
}

type Ending = { reason: DisconnectReason; action: LeaveRequest_Action }

/**
 * The reason for removing a participant who persistently exceeds all limits. LiveKit has no such reason; this reason is
 * otherwise used for SIP calls only, so that a client can distinguish it (packages/client/src/join/attend.ts).
 */
export const abuseReason = DisconnectReason.USER_REJECTED

/** The reason to remove a participant; undefined while it may stay. */
export function participationEndOf(known: Connections, nowMs: number): Ending | undefined {
  const { joinedMs, isActive, awaySinceMs, lostSinceMs, lastCheckMs } = known
  const since = (thenMs: number | undefined) => (thenMs === undefined ? 0 : nowMs - thenMs)
  if (awaySinceMs !== undefined && lostSinceMs !== undefined) {
    return { reason: DisconnectReason.SIGNAL_CLOSE, action: LeaveRequest_Action.DISCONNECT }
  }
  if (since(awaySinceMs) > (isActive ? awayLimitMs : closeLimitMs)) {
    return { reason: DisconnectReason.SIGNAL_CLOSE, action: LeaveRequest_Action.DISCONNECT }
  }
  if (since(lostSinceMs) > closeLimitMs || (isActive && since(lastCheckMs ?? joinedMs) > silenceLimitMs)) {
    return { reason: DisconnectReason.CONNECTION_TIMEOUT, action: LeaveRequest_Action.RECONNECT }
  }
  if (!isActive && since(joinedMs) > connectLimitMs) {
    return { reason: DisconnectReason.JOIN_FAILURE, action: LeaveRequest_Action.DISCONNECT }
  }
  return undefined
}
