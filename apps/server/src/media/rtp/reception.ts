import { extendSequenceNumber, ReplayWindow } from './packet-index.ts'
import type { ReportBlock, SenderReport } from './rtcp.ts'

/** A missing packet is requested at once, then at this interval, while it can still be played in time. */
const nackIntervalMs = 60
const maxNacks = 6
const maxMissing = 200
/** A larger jump is a restarted stream rather than a loss. */
const maxGap = 1000

/** The reception of one stream: its missing packets, and its report blocks (RFC 3550, 6.4.1 and A.8). */
export class Reception {
  readonly ssrc: number
  readonly #clockRate: number
  readonly #missing = new Map<number, { requests: number; lastRequestMs: number }>()
  #seen = new ReplayWindow()
  #first = 0
  #highest = -1
  #received = 0
  #jitter = 0
  #lastTransit: number | undefined
  #reported = { expected: 0, received: 0 }
  #senderReport: (SenderReport & { atMs: number }) | undefined

  constructor(ssrc: number, clockRate: number) {
    this.ssrc = ssrc
    this.#clockRate = clockRate
  }

  get senderReport(): (SenderReport & { atMs: number }) | undefined {
    return this.#senderReport
  }

  recordSenderReport(report: SenderReport, nowMs: number): void {
    this.#senderReport = { ...report, atMs: nowMs }
  }

  /**
   * Record a packet. False for one that was received before: browsers fill their probes for bandwidth with
   * retransmissions. Subscribers must not receive it again, because its encryption would use the same nonce twice.
   */
  receive(sequenceNumber: number, timestamp: number, nowMs: number): boolean {
    const index = this.#highest === -1 ? sequenceNumber : extendSequenceNumber(this.#highest, sequenceNumber)
    if (this.#highest === -1 || Math.abs(index - this.#highest) > maxGap) this.#restart(index)
    if (!this.#seen.isFresh(index)) return false
    this.#seen.accept(index)
    this.#received += 1
    if (index > this.#highest) {
      for (let lost = this.#highest + 1; lost < index; lost++)
        this.#missing.set(lost, { requests: 0, lastRequestMs: 0 })
      while (this.#missing.size > maxMissing) this.#missing.delete(this.#missing.keys().next().value ?? 0)
      this.#highest = index
      this.#updateJitter(timestamp, nowMs)
    } else {
      this.#missing.delete(index)
    }
    return true
  }

  /** The sequence numbers to request now, in order. */
  takeMissing(nowMs: number): number[] {
    const due: number[] = []
    for (const [index, packet] of this.#missing) {
      if (packet.requests > 0 && nowMs - packet.lastRequestMs < nackIntervalMs) continue
      packet.requests += 1
      packet.lastRequestMs = nowMs
      due.push(index & 0xffff)
      if (packet.requests >= maxNacks) this.#missing.delete(index)
    }
    return due
  }

  /** The report block for the time since the last one. */
  takeReportBlock(nowMs: number): ReportBlock {
    const expected = this.#highest - this.#first + 1
    const expectedSince = expected - this.#reported.expected
    const lostSince = expectedSince - (this.#received - this.#reported.received)
    this.#reported = { expected, received: this.#received }
    const report = this.#senderReport
    return {
      ssrc: this.ssrc,
      fractionLost:
        expectedSince > 0 && lostSince > 0 ? Math.min(255, Math.floor((lostSince * 256) / expectedSince)) : 0,
      cumulativeLost: expected - this.#received,
      highestSequence: this.#highest % 2 ** 32,
      jitter: Math.floor(this.#jitter),
      lastReport: report === undefined ? 0 : ((report.ntpSeconds & 0xffff) << 16) | (report.ntpFraction >>> 16),
      delaySinceLastReport: report === undefined ? 0 : Math.floor(((nowMs - report.atMs) * 65_536) / 1000),
    }
  }

  #restart(index: number): void {
    this.#missing.clear()
    this.#seen = new ReplayWindow()
    this.#first = index
    this.#highest = index - 1
    this.#received = 0
    this.#reported = { expected: 0, received: 0 }
    this.#lastTransit = undefined
  }

  #updateJitter(timestamp: number, nowMs: number): void {
    const transit = (nowMs * this.#clockRate) / 1000 - timestamp
    if (this.#lastTransit !== undefined) {
      const difference = Math.abs(transit - this.#lastTransit)
      // Ignore a timestamp that wrapped around.
      if (difference < this.#clockRate) this.#jitter += (difference - this.#jitter) / 16
    }
    this.#lastTransit = transit
  }
}
