import { ConnectionQuality } from '@livekit/protocol'

/** From here on pictures freeze now and then, and from here on often. */
const noticeableLoss = 0.02
const heavyLoss = 0.08
/** A client that checks every few seconds and was not heard of for so long. */
const silenceMs = 10_000

export type Observed = {
  /** The part of the packets lost on the way to us, and on the way from us: from 0 to 1. */
  uplinkLoss: number
  downlinkLoss: number
  /** Less is sent than is wanted, because the line does not bear more. */
  isLimited: boolean
  silentMs: number
}

/** How good somebody's connection is, as they and others are shown. */
export function rateConnection({ uplinkLoss, downlinkLoss, isLimited, silentMs }: Observed): ConnectionQuality {
  const loss = Math.max(uplinkLoss, downlinkLoss)
  if (silentMs > silenceMs) return ConnectionQuality.LOST
  if (loss >= heavyLoss) return ConnectionQuality.POOR
  return loss >= noticeableLoss || isLimited ? ConnectionQuality.GOOD : ConnectionQuality.EXCELLENT
}
