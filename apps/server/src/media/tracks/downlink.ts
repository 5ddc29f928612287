import { TrackSource } from '@livekit/protocol'
import type { ReceptionReport } from '../rtp/rtcp.ts'
import { divideLine } from './layer-choice.ts'
import { afterEstimate, afterLoss, afterQuiet, untriedLine } from './line-budget.ts'
import type { Subscription } from './subscription.ts'

/** The way to one client: how much video it bears, and how that is divided among what the client gets. */
export class Downlink {
  #budget = untriedLine
  #loss = 0

  /** The part of the packets that was lost of late, from 0 to 1. */
  get loss(): number {
    return this.#loss
  }

  get isLimited(): boolean {
    return this.#budget.limit !== Number.POSITIVE_INFINITY
  }

  noteEstimate(bitsPerSecond: number, subscriptions: Iterable<Subscription>, nowMs: number): void {
    this.#budget = afterEstimate(this.#budget, bitsPerSecond, sentTo(subscriptions), nowMs)
  }

  noteReception(report: ReceptionReport, subscriptions: Iterable<Subscription>, nowMs: number): void {
    this.#loss = report.fractionLost / 256
    this.#budget = afterLoss(this.#budget, this.#loss, sentTo(subscriptions), nowMs)
  }

  /** Now and then: tries more when there was no trouble, and divides anew. */
  divide(all: Iterable<Subscription>, nowMs: number): void {
    const subscriptions = [...all].filter(({ publication, wishes }) => publication.kind === 'video' && !wishes.disabled)
    const wanted = subscriptions.reduce((sum, one) => sum + one.wantedBitsPerSecond(nowMs), 0)
    this.#budget = afterQuiet(this.#budget, wanted, nowMs)
    const demands = subscriptions.map((one) => ({
      layers: one.layerStates(nowMs),
      wanted: one.wantedLayer,
      current: one.current?.index,
      isScreen: one.publication.info.source === TrackSource.SCREEN_SHARE,
    }))
    for (const [at, allowed] of divideLine(this.#budget.limit, demands).entries()) {
      const subscription = subscriptions[at]
      if (subscription !== undefined) subscription.allowedLayer = allowed
    }
  }
}

const sentTo = (subscriptions: Iterable<Subscription>) =>
  [...subscriptions].reduce((sum, { current, publication }) => {
    return publication.kind === 'video' ? sum + (current?.bitsPerSecond ?? 0) : sum
  }, 0)
