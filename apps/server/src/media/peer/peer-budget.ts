import { TokenBucket } from '../../platform/http/token-bucket.ts'

/** What one client may send, in datagrams a second and at once. Everything beyond is dropped before it is decrypted. */
export const peerRates = {
  /** Connectivity checks from addresses that it has proved, and from others: a browser makes some 20 a second at first. */
  checks: { perSecond: 50, burst: 100 },
  strangeChecks: { perSecond: 50, burst: 100 },
  /** DTLS until the handshake is done: its flights, repeated a few times on a bad line. */
  handshake: { perSecond: 10, burst: 60 },
  /** Data: 480 KB a second in full datagrams. Each chunk in a datagram counts as one; what acknowledges ours comes on top. */
  data: { perSecond: 400, burst: 800 },
  /** Data messages. Chat, reactions and pointers that move at 60 Hz are below. */
  messages: { perSecond: 100, burst: 200 },
  /** Media and its reports: three times what a camera in high definition with its smaller layers, and a screen, take. */
  media: { perSecond: 1500, burst: 3000 },
}

/** A sender that heeds congestion loses far fewer than this; five seconds in a row of it are no accident. */
export const maxDroppedPerSecond = 500
export const maxAbusiveSeconds = 5

/** The token buckets of one client, and whether it keeps sending far beyond them. */
export class PeerBudget {
  readonly checks: TokenBucket
  readonly strangeChecks: TokenBucket
  readonly handshake: TokenBucket
  readonly data: TokenBucket
  readonly messages: TokenBucket
  readonly media: TokenBucket
  #second: number
  #dropped = 0
  #abusiveSeconds = 0

  constructor(nowMs: number) {
    this.checks = new TokenBucket(peerRates.checks, nowMs)
    this.strangeChecks = new TokenBucket(peerRates.strangeChecks, nowMs)
    this.handshake = new TokenBucket(peerRates.handshake, nowMs)
    this.data = new TokenBucket(peerRates.data, nowMs)
    this.messages = new TokenBucket(peerRates.messages, nowMs)
    this.media = new TokenBucket(peerRates.media, nowMs)
    this.#second = secondOf(nowMs)
  }

  /** Messages are only counted once they are decrypted; while some are owed, nothing more is. */
  takeData(nowMs: number): boolean {
    return this.messages.level(nowMs) >= 0 && this.data.take(1, nowMs)
  }

  /** Note a datagram beyond the budget. True when that has gone on for too long. */
  drop(nowMs: number): boolean {
    const second = secondOf(nowMs)
    if (second !== this.#second) {
      const wasAbusive = this.#dropped > maxDroppedPerSecond && second === this.#second + 1
      this.#abusiveSeconds = wasAbusive ? this.#abusiveSeconds + 1 : 0
      this.#second = second
      this.#dropped = 0
    }
    this.#dropped += 1
    return this.#abusiveSeconds >= maxAbusiveSeconds
  }
}

const secondOf = (nowMs: number) => Math.floor(nowMs / 1000)
