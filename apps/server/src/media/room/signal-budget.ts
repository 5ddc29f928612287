import type { SignalRequest } from '@livekit/protocol'
import { TokenBucket } from '../../platform/http/token-bucket.ts'

/** A page that lays out fifty tiles asks for fifty sizes at once; twenty people who join at once make forty offers. */
export const signalRate = { perSecond: 60, burst: 600 }
/** Reading stops as soon as something is owed; what is on its way by then is far less than this. */
export const maxOwed = 300
/** An offer of 300 sections has a megabyte, and costs as much as 64 short requests to read. */
const octetsPerToken = 16 * 1024
/** What is read at length, and what everybody in the room is told of. */
const costs: Partial<Record<NonNullable<SignalRequest['message']['case']>, number>> = {
  offer: 5,
  addTrack: 3,
  mute: 3,
  updateMetadata: 3,
  subscriptionPermission: 3,
}

/** What one participant may ask for over its signal sockets, of which a resumed session has several in turn. */
export class SignalBudget {
  readonly #bucket: TokenBucket

  constructor(nowMs: number) {
    this.#bucket = new TokenBucket(signalRate, nowMs)
  }

  /** Counts a message by its length, before it is read. */
  chargeOctets(length: number, nowMs: number): void {
    this.#bucket.charge(1 + length / octetsPerToken, nowMs)
  }

  /** Counts what it turned out to be. */
  chargeRequest({ message }: SignalRequest, nowMs: number): void {
    const cost = message.case === undefined ? 1 : (costs[message.case] ?? 1)
    this.#bucket.charge(cost - 1, nowMs)
  }

  /** How long nothing more is to be read; 0 while nothing is owed. */
  pauseMs(nowMs: number): number {
    return Math.ceil((Math.max(0, -this.#bucket.level(nowMs)) * 1000) / signalRate.perSecond)
  }

  /** More than anybody sends who heeds a pause. */
  isExhausted(nowMs: number): boolean {
    return this.#bucket.level(nowMs) < -maxOwed
  }
}
