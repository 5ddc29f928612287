import { Reception } from '../rtp/reception.ts'
import type { SenderReport } from '../rtp/rtcp.ts'

/** More often an encoder would spend its line on pictures that stand alone. */
const keyframeIntervalMs = 300
/** A layer that sent nothing for so long is not being sent: the encoder has given it up, or paused it. */
const idleAfterMs = 1500
const bitrateWindowMs = 1000

/** One encoding of a track: of a voice the only one, of a camera with simulcast one of up to three. */
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

  /** The stream that carries it from now on. */
  bind(ssrc: number): Reception {
    if (this.reception?.ssrc !== ssrc) this.reception = new Reception(ssrc, this.#clockRate)
    return this.reception
  }

  note(octets: number, nowMs: number): void {
    this.#lastPacketMs = nowMs
    this.#windowOctets += octets
    const elapsedMs = nowMs - this.#windowStartMs
    if (elapsedMs < bitrateWindowMs) return
    this.#bitsPerSecond = (this.#windowOctets * 8000) / elapsedMs
    this.#windowStartMs = nowMs
    this.#windowOctets = 0
  }

  /** Whether a keyframe may be asked for now; then it counts as asked. */
  takeKeyframeRequest(nowMs: number): boolean {
    if (nowMs - this.#lastRequestMs < keyframeIntervalMs) return false
    this.#lastRequestMs = nowMs
    return true
  }
}
