import { TokenBucket } from '../../platform/token-bucket.ts'

/** The rates of one client, in datagrams per second and per burst. Datagrams beyond are dropped before decryption. */
export const peerRates = {
  /** Connectivity checks from proved addresses, and from others: a browser sends some 20 per second at first. */
  checks: { perSecond: 50, burst: 100 },
  unprovedChecks: { perSecond: 50, burst: 100 },
  /** DTLS until the handshake is done: its flights, repeated a few times on a lossy path. */
  handshake: { perSecond: 10, burst: 60 },
  /**
   * Data: 480 KB per second in full datagrams. Each chunk in a datagram counts as one; acknowledgements of ours are
   * free.
   */
  data: { perSecond: 400, burst: 800 },
  /** Data messages. Chat, reactions and pointers that move at 60 Hz are below. */
  messages: { perSecond: 100, burst: 200 },
  /** RTP and RTCP: three times the rate of an HD camera with its smaller layers and a screen. */
  media: { perSecond: 1500, burst: 3000 },
}

/** A sender with congestion control loses far fewer; five such seconds in a row are abuse. */
export const maxDroppedPerSecond = 500
export const maxAbusiveSeconds = 5

/** The token buckets of one client, with a check for persistent abuse. */
export class PeerBudget {
  readonly checks: TokenBucket
  readonly unprovedChecks: TokenBucket
  readonly handshake: TokenBucket
  readonly data: TokenBucket
  readonly messages: TokenBucket
  readonly media: TokenBucket
  #second: number
  #dropped = 0
  #abusiveSeconds = 0

  constructor(nowMs: number) {
    this.checks = new TokenBucket(peerRates.checks, nowMs)
    this.unprovedChecks = new TokenBucket(peerRates.unprovedChecks, nowMs)
    this.handshake = new TokenBucket(peerRates.handshake, nowMs)
    this.data = new TokenBucket(peerRates.data, nowMs)
    this.messages = new TokenBucket(peerRates.messages, nowMs)
    this.media = new TokenBucket(peerRates.media, nowMs)
    this.#second = secondOf(nowMs)
  }

  /** Take a datagram of data. Refused while the messages already decrypted exceed their rate. */
  takeData(nowMs: number): boolean {
    return this.messages.level(nowMs) >= 0 && this.data.take(1, nowMs)
  }

  /** Count a datagram beyond the budget. True if this has continued for too long. */
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
