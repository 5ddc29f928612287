import { TrackSource } from '@livekit/protocol'
import type { ReceptionReport } from '../rtp/rtcp.ts'
import { applyEstimate, applyLoss, probeBandwidth, unlimitedBudget } from './bandwidth-budget.ts'
import { allocateLayers } from './layer-allocation.ts'
import type { Subscription } from './subscription.ts'

/** The downlink of one client: its bandwidth for video, and the allocation to the client's subscriptions. */
export class Downlink {
  #budget = unlimitedBudget
  #loss = 0

  /** The fraction of lost packets in the last report, from 0 to 1. */
  get loss(): number {
    return this.#loss
  }

  get isLimited(): boolean {
    return this.#budget.limit !== Number.POSITIVE_INFINITY
  }

  handleEstimate(bitsPerSecond: number, subscriptions: Iterable<Subscription>, nowMs: number): void {
    this.#budget = applyEstimate(this.#budget, bitsPerSecond, sentTo(subscriptions), nowMs)
  }

  handleReceptionReport(report: ReceptionReport, subscriptions: Iterable<Subscription>, nowMs: number): void {
    this.#loss = report.fractionLost / 256
    this.#budget = applyLoss(this.#budget, this.#loss, sentTo(subscriptions), nowMs)
  }

  /** Allocate the bandwidth anew, and probe for more if there was no congestion. Call it periodically. */
  allocate(all: Iterable<Subscription>, nowMs: number): void {
    const subscriptions = [...all].filter(
      ({ publication, settings }) => publication.kind === 'video' && !settings.disabled,
    )
    const wanted = subscriptions.reduce((sum, subscription) => sum + subscription.wantedBitsPerSecond(nowMs), 0)
    this.#budget = probeBandwidth(this.#budget, wanted, nowMs)
    const demands = subscriptions.map((subscription) => ({
      layers: subscription.layerStates(nowMs),
      wanted: subscription.wantedLayer,
      current: subscription.current?.index,
      isScreen: subscription.publication.info.source === TrackSource.SCREEN_SHARE,
    }))
    for (const [index, allowed] of allocateLayers(this.#budget.limit, demands).entries()) {
      const subscription = subscriptions[index]
      if (subscription !== undefined) subscription.allowedLayer = allowed
    }
  }
}

const sentTo = (subscriptions: Iterable<Subscription>) =>
  [...subscriptions].reduce((sum, { current, publication }) => {
    return publication.kind === 'video' ? sum + (current?.bitsPerSecond ?? 0) : sum
  }, 0)
