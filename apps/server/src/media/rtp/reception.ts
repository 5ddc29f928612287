import { extendSequenceNumber } from './packet-index.ts'
import type { ReceptionStatement, SenderReport } from './rtcp.ts'

/** A packet is asked for again at once, and then this often, as long as it can still be shown in time. */
const nackIntervalMs = 60
const maxNacks = 6
const maxMissing = 200
/** A jump this wide is a stream that began anew, not a loss. */
const maxGap = 1000

/** What is received of one stream: what is missing, and what its sender is told about it (RFC 3550, 6.4.1 and A.8). */
export class Reception {
  readonly ssrc: number
  readonly #clockRate: number
  readonly #missing = new Map<number, { asked: number; askedMs: number }>()
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

  noteSenderReport(report: SenderReport, nowMs: number): void {
    this.#senderReport = { ...report, atMs: nowMs }
  }

  receive(sequenceNumber: number, timestamp: number, nowMs: number): void {
    const index = this.#highest === -1 ? sequenceNumber : extendSequenceNumber(this.#highest, sequenceNumber)
    if (this.#highest === -1 || Math.abs(index - this.#highest) > maxGap) this.#restart(index)
    this.#received += 1
    if (index > this.#highest) {
      for (let lost = this.#highest + 1; lost < index; lost++) this.#missing.set(lost, { asked: 0, askedMs: 0 })
      while (this.#missing.size > maxMissing) this.#missing.delete(this.#missing.keys().next().value ?? 0)
      this.#highest = index
      this.#noteTransit(timestamp, nowMs)
    } else {
      this.#missing.delete(index)
    }
  }

  /** The packets to ask for now, in order. */
  takeMissing(nowMs: number): number[] {
    const due: number[] = []
    for (const [index, request] of this.#missing) {
      if (request.asked > 0 && nowMs - request.askedMs < nackIntervalMs) continue
      request.asked += 1
      request.askedMs = nowMs
      due.push(index & 0xffff)
      if (request.asked >= maxNacks) this.#missing.delete(index)
    }
    return due
  }

  /** What to report since the report before. */
  takeStatement(nowMs: number): ReceptionStatement {
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
    this.#first = index
    this.#highest = index - 1
    this.#received = 0
    this.#reported = { expected: 0, received: 0 }
    this.#lastTransit = undefined
  }

  #noteTransit(timestamp: number, nowMs: number): void {
    const transit = (nowMs * this.#clockRate) / 1000 - timestamp
    if (this.#lastTransit !== undefined) {
      const difference = Math.abs(transit - this.#lastTransit)
      // A timestamp that wrapped around is no jitter.
      if (difference < this.#clockRate) this.#jitter += (difference - this.#jitter) / 16
    }
    this.#lastTransit = transit
  }
}
