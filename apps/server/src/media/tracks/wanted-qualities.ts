import { SubscribedCodec, SubscribedQuality, SubscribedQualityUpdate, VideoQuality } from '@livekit/protocol'
import type { Layer } from './layer.ts'
import type { Publication } from './publication.ts'

/** A subscriber who scrolls past a tile wants the large layer again soon: disable it only after this delay. */
const disableAfterMs = 4000

/**
 * Determines which layers a publisher should encode (LiveKit's dynacast). The smallest always stays enabled for new
 * subscribers.
 */
export class WantedQualities {
  readonly #sent = new Map<string, VideoQuality>()
  readonly #lowSinceMs = new Map<string, number>()

  /** The update to send to the publisher of a track; undefined without a change. */
  takeChange(publication: Publication, nowMs: number): SubscribedQualityUpdate | undefined {
    const { sid, kind, layers, subscriptions } = publication
    if (kind !== 'video' || layers.length < 2) return undefined
    const wanted = [...subscriptions].filter(({ settings }) => !settings.disabled).map(({ wantedLayer }) => wantedLayer)
    const highest = Math.min(Math.max(0, ...wanted), layers.length - 1)
    const sent = this.#sent.get(sid) ?? layers.length - 1
    if (highest >= sent) this.#lowSinceMs.delete(sid)
    if (highest === sent) return undefined
    if (highest < sent) {
      const sinceMs = this.#lowSinceMs.get(sid) ?? nowMs
      this.#lowSinceMs.set(sid, sinceMs)
      if (nowMs - sinceMs < disableAfterMs) return undefined
    }
    this.#sent.set(sid, highest)
    const qualities = [VideoQuality.LOW, VideoQuality.MEDIUM, VideoQuality.HIGH].map(
      (quality) => new SubscribedQuality({ quality, enabled: quality <= highest }),
    )
    const codec = publication.codecs[0]?.name ?? 'vp8'
    return new SubscribedQualityUpdate({
      trackSid: sid,
      subscribedQualities: qualities,
      subscribedCodecs: [new SubscribedCodec({ codec, qualities })],
    })
  }

  /** The layers that a publisher encodes, smallest first. */
  enabledLayers({ sid, layers }: Publication): readonly Layer[] {
    return layers.slice(0, (this.#sent.get(sid) ?? layers.length - 1) + 1)
  }

  remove(publication: Publication): void {
    this.#sent.delete(publication.sid)
    this.#lowSinceMs.delete(publication.sid)
  }
}
