import { ConnectionQuality } from '@livekit/protocol'
import type { Layer } from './layer.ts'
import type { Publication } from './publication.ts'

/** The fractions of lost packets from which video freezes occasionally, and often. */
const noticeableLoss = 0.02
const heavyLoss = 0.08
/** Clients send ICE checks every few seconds: after this silence the connection counts as lost. */
const silenceMs = 10_000

/** `some`: a larger layer is missing; `most`: there is no video, or only a thin part of the smallest layer. */
export type UplinkShortage = 'none' | 'some' | 'most'

/** With a smaller part of the bitrate faces blur; below that even the smallest layer is missing. */
const poorShare = 0.2

export type Observed = {
  /** The fraction of lost packets in each direction, from 0 to 1. */
  uplinkLoss: number
  downlinkLoss: number
  /** How much of the video that the client wants is sent to it, by bitrate, from 0 to 1. */
  downlinkShare: number
  /** What is missing of the video that the client should send. */
  uplinkShortage: UplinkShortage
  silentMs: number
}

/** Rate a participant's connection for the participants of its room. */
export function rateConnection(observed: Observed): ConnectionQuality {
  const { uplinkLoss, downlinkLoss, downlinkShare, uplinkShortage, silentMs } = observed
  const loss = Math.max(uplinkLoss, downlinkLoss)
  if (silentMs > silenceMs) return ConnectionQuality.LOST
  if (loss >= heavyLoss || downlinkShare < poorShare || uplinkShortage === 'most') return ConnectionQuality.POOR
  const isLess = loss >= noticeableLoss || downlinkShare < 1 || uplinkShortage === 'some'
  return isLess ? ConnectionQuality.GOOD : ConnectionQuality.EXCELLENT
}

/** An encoder that lacks bandwidth sends less than this part of what the client has announced for the layer. */
const limitedShare = 0.8

/** What is missing of a camera, given the layers that its publisher should encode. Nothing before it has begun. */
export function shortageOf(
  { layers, info }: Pick<Publication, 'layers' | 'info'>,
  enabled: readonly Layer[],
  nowMs: number,
): UplinkShortage {
  if (!layers.some(({ hasBegun }) => hasBegun)) return 'none'
  const active = enabled.filter((layer) => layer.isActive(nowMs))
  const [smallest] = active
  if (smallest === undefined) return 'most'
  if (active.length === enabled.length) return 'none'
  const announced = info.layers[smallest.index]?.bitrate ?? 0
  return active.length === 1 && smallest.bitsPerSecond < announced * limitedShare ? 'most' : 'some'
}
