import { DisconnectReason, LeaveRequest_Action } from '@livekit/protocol'

/** How long a participant may be without a signal socket: the client tries again for about as long. */
const awayLimitMs = 20_000
/** How long after its transport a client that leaves may take to say goodbye; and one that has not connected, to come back. */
const goodbyeLimitMs = 2000
/** How long ICE and DTLS may take after the join. */
const connectLimitMs = 20_000
/** Browsers check every few seconds; RFC 7675 gives up after thirty. */
const silenceLimitMs = 30_000

/** What is known of somebody's connections; undefined is what has not happened. */
export type Connections = {
  joinedMs: number
  /** Whether it ever connected. */
  isActive: boolean
  /** Since when there is no signal socket. */
  awaySinceMs: number | undefined
  /** Since when the transport is gone. */
  lostSinceMs: number | undefined
  /** When the client last showed on the network that it is there. */
  lastCheckMs: number | undefined
}

export type Ending = { reason: DisconnectReason; action: LeaveRequest_Action }

/** Whether a participation has ended, and why; undefined while it goes on. */
export function participationEndOf(known: Connections, nowMs: number): Ending | undefined {
  const { joinedMs, isActive, awaySinceMs, lostSinceMs, lastCheckMs } = known
  const since = (thenMs: number | undefined) => (thenMs === undefined ? 0 : nowMs - thenMs)
  if (awaySinceMs !== undefined && lostSinceMs !== undefined) {
    return { reason: DisconnectReason.SIGNAL_CLOSE, action: LeaveRequest_Action.DISCONNECT }
  }
  if (since(awaySinceMs) > (isActive ? awayLimitMs : goodbyeLimitMs)) {
    return { reason: DisconnectReason.SIGNAL_CLOSE, action: LeaveRequest_Action.DISCONNECT }
  }
  if (since(lostSinceMs) > goodbyeLimitMs || (isActive && since(lastCheckMs ?? joinedMs) > silenceLimitMs)) {
    return { reason: DisconnectReason.CONNECTION_TIMEOUT, action: LeaveRequest_Action.RECONNECT }
  }
  if (!isActive && since(joinedMs) > connectLimitMs) {
    return { reason: DisconnectReason.JOIN_FAILURE, action: LeaveRequest_Action.DISCONNECT }
  }
  return undefined
}
