import { Reception } from '../rtp/reception.ts'
import type { SenderReport } from '../rtp/rtcp.ts'

/** With more frequent keyframes an encoder would spend its bitrate on them. */
const keyframeIntervalMs = 300
/** After this time without packets a layer is inactive: the encoder has stopped or paused it. */
const idleAfterMs = 1500
/**
 * A layer is silent earlier when another of its track goes on without it: all layers come from the same frames. The
 * first of these frames may be one that this layer has sent as well, and an encoder drops one or two to keep its rate.
 */
const silentAfterMs = 200
const silentAfterFrames = 4
/** A layer that falls silent and returns within `flapMs` is used again only when it has lasted for a while. */
const flapMs = 5000
const stableAfterMs = 1000
/** Headers of RTP, UDP and IP, and the tag of SRTP: a third of what a voice takes. */
export const packetOverhead = 60
const bitrateWindowMs = 1000

/** One encoding of a track: the only one of an audio track, one of up to three of a camera with simulcast. */
export class Layer {
  /** 0 is the smallest. */
  readonly index: number
  readonly rid: string
  readonly #clockRate: number
  reception: Reception | undefined
  rtxSsrc: number | undefined
  #lastPacketMs = Number.NEGATIVE_INFINITY
  #lastRequestMs = Number.NEGATIVE_INFINITY
  #windowStartMs = 0
  #windowOctets = 0
  #bitsPerSecond = 0
  /** The frames that each other layer has sent since the last packet of this one, by index. */
  readonly #framesElsewhere: number[] = []
  #settledMs = Number.NEGATIVE_INFINITY

  constructor(index: number, rid: string, clockRate: number) {
    this.index = index
    this.rid = rid
    this.#clockRate = clockRate
  }

  get senderReport(): (SenderReport & { atMs: number }) | undefined {
    return this.reception?.senderReport
  }

  /** The rate on the line, with all headers. */
  get bitsPerSecond(): number {
    return this.#bitsPerSecond
  }

  /** Whether a packet has ever arrived. */
  get hasBegun(): boolean {
    return this.#lastPacketMs !== Number.NEGATIVE_INFINITY
  }

  /** Whether packets arrive. */
  isActive(nowMs: number): boolean {
    const silentMs = nowMs - this.#lastPacketMs
    const isLeftBehind = this.#framesElsewhere.some((frames) => frames >= silentAfterFrames)
    return silentMs < (isLeftBehind ? silentAfterMs : idleAfterMs)
  }

  /** Whether the layer is active, and has not fallen silent a moment ago. */
  isSettled(nowMs: number): boolean {
    return this.isActive(nowMs) && nowMs >= this.#settledMs
  }

  /** Another layer of the track has sent a frame. */
  recordFrameElsewhere(index: number): void {
    this.#framesElsewhere[index] = (this.#framesElsewhere[index] ?? 0) + 1
  }

  /** Set the stream that carries the layer from now on. */
  bind(ssrc: number): Reception {
    if (this.reception?.ssrc !== ssrc) this.reception = new Reception(ssrc, this.#clockRate)
    return this.reception
  }

  recordPacket(octets: number, nowMs: number): void {
    if (!this.isActive(nowMs) && nowMs - this.#lastPacketMs < flapMs) this.#settledMs = nowMs + stableAfterMs
    this.#framesElsewhere.length = 0
    this.#lastPacketMs = nowMs
    this.#windowOctets += octets + packetOverhead
    const elapsedMs = nowMs - this.#windowStartMs
    if (elapsedMs < bitrateWindowMs) return
    this.#bitsPerSecond = (this.#windowOctets * 8000) / elapsedMs
    this.#windowStartMs = nowMs
    this.#windowOctets = 0
  }

  /** Whether a keyframe may be requested now; if so, records the request. */
  takeKeyframeRequest(nowMs: number): boolean {
    if (nowMs - this.#lastRequestMs < keyframeIntervalMs) return false
    this.#lastRequestMs = nowMs
    return true
  }
}
