import { ConnectionQuality } from '@livekit/protocol'

/** The fractions of lost packets from which video freezes occasionally, and often. */
const noticeableLoss = 0.02
const heavyLoss = 0.08
/** Clients send ICE checks every few seconds: after this silence the connection counts as lost. */
const silenceMs = 10_000

export type Observed = {
  /** The fraction of lost packets in each direction, from 0 to 1. */
  uplinkLoss: number
  downlinkLoss: number
  /** Less video is sent than wanted, because of the client's bandwidth. */
  isLimited: boolean
  silentMs: number
}

/** Rate a participant's connection for the participants of its room. */
export function rateConnection({ uplinkLoss, downlinkLoss, isLimited, silentMs }: Observed): ConnectionQuality {
  const loss = Math.max(uplinkLoss, downlinkLoss)
  if (silentMs > silenceMs) return ConnectionQuality.LOST
  if (loss >= heavyLoss) return ConnectionQuality.POOR
  return loss >= noticeableLoss || isLimited ? ConnectionQuality.GOOD : ConnectionQuality.EXCELLENT
}
