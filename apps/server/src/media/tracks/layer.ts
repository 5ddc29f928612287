import { Reception } from '../rtp/reception.ts'
import type { SenderReport } from '../rtp/rtcp.ts'

/** With more frequent keyframes an encoder would spend its bitrate on them. */
const keyframeIntervalMs = 300
/** After this time without packets a layer is inactive: the encoder has stopped or paused it. */
const idleAfterMs = 1500
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

  constructor(index: number, rid: string, clockRate: number) {
    this.index = index
    this.rid = rid
    this.#clockRate = clockRate
  }

  get senderReport(): (SenderReport & { atMs: number }) | undefined {
    return this.reception?.senderReport
  }

  get bitsPerSecond(): number {
    return this.#bitsPerSecond
  }

  isActive(nowMs: number): boolean {
    return nowMs - this.#lastPacketMs < idleAfterMs
  }

  /** Set the stream that carries the layer from now on. */
  bind(ssrc: number): Reception {
    if (this.reception?.ssrc !== ssrc) this.reception = new Reception(ssrc, this.#clockRate)
    return this.reception
  }

  recordPacket(octets: number, nowMs: number): void {
    this.#lastPacketMs = nowMs
    this.#windowOctets += octets
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
