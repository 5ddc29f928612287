import type { SignalRequest } from '@livekit/protocol'
import { TokenBucket } from '../../platform/token-bucket.ts'

/** A page with fifty tiles requests fifty sizes at once; twenty concurrent joins cause forty offers. */
export const signalRate = { perSecond: 60, burst: 600 }
/** Reading pauses as soon as the bucket is in debt; the messages on their way by then are far fewer than this. */
export const maxDebt = 300
/** An offer of 300 sections has a megabyte, and costs as much to read as 64 short requests. */
const octetsPerToken = 16 * 1024
/** Requests that are expensive to read or are broadcast to the room. */
const costs: Partial<Record<NonNullable<SignalRequest['message']['case']>, number>> = {
  offer: 5,
  addTrack: 3,
  mute: 3,
  updateMetadata: 3,
  subscriptionPermission: 3,
}

/** Limits the requests of one participant, over all signal sockets of a resumed session. */
export class SignalBudget {
  readonly #bucket: TokenBucket

  constructor(nowMs: number) {
    this.#bucket = new TokenBucket(signalRate, nowMs)
  }

  /** Charge a message by its length, before it is read. */
  chargeOctets(length: number, nowMs: number): void {
    this.#bucket.charge(1 + length / octetsPerToken, nowMs)
  }

  /** Charge a message by its kind. */
  chargeRequest({ message }: SignalRequest, nowMs: number): void {
    const cost = message.case === undefined ? 1 : (costs[message.case] ?? 1)
    this.#bucket.charge(cost - 1, nowMs)
  }

  /** How long to pause reading; 0 without debt. */
  pauseMs(nowMs: number): number {
    return Math.ceil((Math.max(0, -this.#bucket.level(nowMs)) * 1000) / signalRate.perSecond)
  }

  /** Whether the debt exceeds what a client can cause that is paused in time. */
  isExhausted(nowMs: number): boolean {
    return this.#bucket.level(nowMs) < -maxDebt
  }
}
