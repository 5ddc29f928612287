import type { ArrivalReport } from '../rtp/transport-feedback.ts'

/** What a client's reports say of the line to it, over a fraction of a second. */
export type Observation = {
  /** How much longer the fastest packet took than one on an empty line. */
  queueMs: number
  lost: number
  /** The fraction of lost packets, from 0 to 1. */
  loss: number
  /** The rate of arrival. */
  bitsPerSecond: number
}

/** At 2,000 packets a second, reports may be two seconds late. */
const capacity = 4096
const sequenceSpan = 0x10000
/**
 * An observation covers this time and number of packets. Of a shorter one, a busy client that reads its socket late
 * would look like a queue; of fewer packets, the loss would be chance.
 */
const minWindowMs = 150
const minPackets = 20
const maxWindowMs = 500
/** After a longer time without any arrival, a loss is that of a cut: it says nothing about what the line carries. */
const cutMs = 1500
/** The delay of an empty line is the least of this time; then clocks have drifted, or the route has changed. */
const baselineMs = 10_000

/** The packets sent to one client, and what its reports on their arrival say of the line. */
export class SentTraffic {
  readonly #sentMs = new Float64Array(capacity)
  /** 0 once a packet was reported. */
  readonly #octets = new Uint16Array(capacity)
  readonly #ssrcs = new Uint32Array(capacity)
  /** The streams of which something has arrived: a client drops those that it has not set up yet. */
  readonly #begun = new Set<number>()
  #next = 0
  #sentOctets = 0
  /** The least delays of the current and the last interval. The clocks differ, so that the values mean nothing alone. */
  #leastDelay = Number.POSITIVE_INFINITY
  #leastDelayBefore = Number.POSITIVE_INFINITY
  #baselineSinceMs = 0
  #window = emptyWindow
  #lastArrivalMs: number | undefined

  /** All octets sent so far. */
  get sentOctets(): number {
    return this.#sentOctets
  }

  /** Record a packet. Return its transport sequence number. */
  record(ssrc: number, octets: number, nowMs: number): number {
    const sequence = this.#next
    this.#next = (sequence + 1) % sequenceSpan
    this.#sentMs[sequence % capacity] = nowMs
    this.#octets[sequence % capacity] = octets
    this.#ssrcs[sequence % capacity] = ssrc
    this.#sentOctets += octets
    return sequence
  }

  /** Forget a stream that is no longer sent. */
  removeStream(ssrc: number): void {
    this.#begun.delete(ssrc)
  }

  /** Apply a report. Return an observation once there is enough for one, or that a cut has ended. */
  applyReport({ base, arrivals }: ArrivalReport, nowMs: number): Observation | 'cut' | undefined {
    const window = { ...this.#window }
    for (const [index, arrivalMs] of arrivals.entries()) {
      const sequence = (base + index) % sequenceSpan
      const slot = sequence % capacity
      const octets = this.#octets[slot] ?? 0
      const age = (this.#next - sequence + sequenceSpan) % sequenceSpan
      if (octets === 0 || age === 0 || age > capacity) continue
      this.#octets[slot] = 0
      const ssrc = this.#ssrcs[slot] ?? 0
      if (arrivalMs === undefined) {
        if (this.#begun.has(ssrc)) window.lost += 1
        continue
      }
      this.#begun.add(ssrc)
      window.arrived += 1
      window.octets += octets
      window.leastDelay = Math.min(window.leastDelay, arrivalMs - (this.#sentMs[slot] ?? 0))
      window.lastArrivalMs = Math.max(window.lastArrivalMs, arrivalMs)
    }
    this.#window = window
    return this.#close(nowMs)
  }

  #close(nowMs: number): Observation | 'cut' | undefined {
    const { arrived, lost, octets, leastDelay, lastArrivalMs } = this.#window
    if (arrived === 0) return undefined
    this.#lastArrivalMs ??= lastArrivalMs - minWindowMs
    const spanMs = lastArrivalMs - this.#lastArrivalMs
    if (spanMs < minWindowMs || (arrived + lost < minPackets && spanMs < maxWindowMs)) return undefined
    this.#window = emptyWindow
    this.#lastArrivalMs = lastArrivalMs
    // Without a loss nothing was sent: no one spoke, and the screen was static.
    if (spanMs >= cutMs) return lost > 0 ? 'cut' : undefined
    this.#updateBaseline(leastDelay, nowMs)
    return {
      queueMs: leastDelay - Math.min(this.#leastDelay, this.#leastDelayBefore),
      lost,
      loss: lost / (arrived + lost),
      bitsPerSecond: (octets * 8000) / spanMs,
    }
  }

  #updateBaseline(leastDelay: number, nowMs: number): void {
    if (nowMs - this.#baselineSinceMs >= baselineMs) {
      this.#leastDelayBefore = this.#leastDelay
      this.#leastDelay = Number.POSITIVE_INFINITY
      this.#baselineSinceMs = nowMs
    }
    this.#leastDelay = Math.min(this.#leastDelay, leastDelay)
  }
}

const emptyWindow = {
  arrived: 0,
  lost: 0,
  octets: 0,
  leastDelay: Number.POSITIVE_INFINITY,
  lastArrivalMs: Number.NEGATIVE_INFINITY,
}
