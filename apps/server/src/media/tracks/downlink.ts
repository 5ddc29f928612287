import { TrackSource } from '@livekit/protocol'
import type { ReceptionReport } from '../rtp/rtcp.ts'
import type { ArrivalReport } from '../rtp/transport-feedback.ts'
import {
  applyEstimate,
  applyLoss,
  applyObservation,
  endProbe,
  octetsDue,
  startProbe,
  unlimitedBudget,
} from './bandwidth-budget.ts'
import { allocateLayers } from './layer-allocation.ts'
import { SentTraffic } from './sent-traffic.ts'
import type { Subscription } from './subscription.ts'

/** A tick that came late does not send all of its padding at once. */
const maxPaddingMs = 100

/**
 * The downlink of one client: its bandwidth, and the allocation to the client's subscriptions. Audio is always sent;
 * video gets what is left.
 */
export class Downlink {
  #budget = unlimitedBudget
  #loss = 0
  #share = 1
  readonly #traffic = new SentTraffic()
  #probeStartOctets = 0

  /** The fraction of lost packets in the last report, from 0 to 1. */
  get loss(): number {
    return this.#loss
  }

  /** How much of the wanted video is sent, by its bitrate, from 0 to 1. */
  get share(): number {
    return this.#share
  }

  get isProbing(): boolean {
    return this.#budget.probe !== undefined
  }

  /** Record a packet that is sent to the client. Return its transport sequence number. */
  recordSent(ssrc: number, octets: number, nowMs: number): number {
    return this.#traffic.record(ssrc, octets, nowMs)
  }

  removeStream(ssrc: number): void {
    this.#traffic.removeStream(ssrc)
  }

  handleArrivals(report: ArrivalReport, subscriptions: readonly Subscription[], nowMs: number): void {
    const seen = this.#traffic.applyReport(report, nowMs)
    if (seen === 'cut') for (const subscription of subscriptions) subscription.restart(nowMs)
    else if (seen !== undefined) this.#apply(applyObservation(this.#budget, seen, nowMs), subscriptions, nowMs)
  }

  handleEstimate(bitsPerSecond: number, subscriptions: readonly Subscription[], nowMs: number): void {
    // The estimate says nothing about audio.
    const audio = bitrateOf(subscriptions, 'audio', nowMs)
    const sent = audio + bitrateOf(subscriptions, 'video', nowMs)
    this.#apply(applyEstimate(this.#budget, audio + bitsPerSecond, sent, nowMs), subscriptions, nowMs)
  }

  handleReceptionReport(report: ReceptionReport, subscriptions: readonly Subscription[], nowMs: number): void {
    this.#loss = report.fractionLost / 256
    const sent = bitrateOf(subscriptions, 'video', nowMs) + bitrateOf(subscriptions, 'audio', nowMs)
    this.#apply(applyLoss(this.#budget, this.#loss, sent, nowMs), subscriptions, nowMs)
  }

  /** Allocate the bandwidth anew, and try for more where something is missing. Call it every second. */
  allocate(all: readonly Subscription[], nowMs: number, isCongested = false): void {
    const subscriptions = all.filter(({ publication, settings }) => publication.kind === 'video' && !settings.disabled)
    // A video that is shown again begins with its smallest layer.
    for (const subscription of all)
      if (subscription.settings.disabled && subscription.isPaused) subscription.allow(0, false)
    const demands = subscriptions.map((subscription) => ({
      layers: subscription.layerStates(nowMs),
      wanted: subscription.wantedLayer,
      current: subscription.current?.index,
      isPaused: subscription.isPaused,
      isScreen: subscription.publication.info.source === TrackSource.SCREEN_SHARE,
    }))
    const audio = bitrateOf(all, 'audio', nowMs)
    const { allowed, nextLimit, share } = allocateLayers(Math.max(0, this.#budget.limit - audio), demands)
    this.#share = share
    for (const [index, layer] of allowed.entries()) subscriptions[index]?.allow(layer, isCongested)
    const before = this.#budget
    this.#budget = startProbe(before, nextLimit === undefined ? undefined : nextLimit + audio, nowMs)
    if (before.probe === undefined) this.#probeStartOctets = this.#traffic.sentOctets
  }

  /** Fill the line with padding while a higher rate is tried. Call it at short intervals. */
  tick(all: readonly Subscription[], nowMs: number): void {
    const { probe } = this.#budget
    if (probe === undefined) return
    this.#apply(endProbe(this.#budget, nowMs), all, nowMs)
    if (this.#budget.probe === undefined) {
      this.allocate(all, nowMs)
      return
    }
    const due = octetsDue(probe, nowMs) - (this.#traffic.sentOctets - this.#probeStartOctets)
    const most = (probe.target * maxPaddingMs) / 8000
    let left = Math.min(due, most)
    for (const subscription of all) {
      while (left > 0) {
        const sent = subscription.sendPadding(nowMs)
        if (sent === 0) break
        left -= sent
      }
    }
  }

  /** Stop at once what no longer fits: until the next second, it would cost packets of audio. */
  #apply(budget: typeof unlimitedBudget, all: readonly Subscription[], nowMs: number): void {
    const isLower = budget.limit < this.#budget.limit
    this.#budget = budget
    if (isLower) this.allocate(all, nowMs, true)
  }
}

const bitrateOf = (subscriptions: readonly Subscription[], kind: 'audio' | 'video', nowMs: number) =>
  subscriptions.reduce((sum, subscription) => {
    return subscription.publication.kind === kind ? sum + subscription.sentBitsPerSecond(nowMs) : sum
  }, 0)
