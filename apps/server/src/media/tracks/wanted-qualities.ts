import { SubscribedCodec, SubscribedQuality, SubscribedQualityUpdate, VideoQuality } from '@livekit/protocol'
import type { Publication } from './publication.ts'

/** Who scrolls past somebody wants the large picture again in a moment. */
const giveUpAfterMs = 4000

/** Which layers of a publisher's tracks are worth encoding (LiveKit's dynacast). The smallest always is: who comes late sees it at once. */
export class WantedQualities {
  readonly #told = new Map<string, VideoQuality>()
  readonly #lowSinceMs = new Map<string, number>()

  /** What to tell a publisher of a track; undefined when nothing has changed. */
  takeChange(publication: Publication, nowMs: number): SubscribedQualityUpdate | undefined {
    const { sid, kind, layers, subscriptions } = publication
    if (kind !== 'video' || layers.length < 2) return undefined
    const wanted = [...subscriptions].filter(({ wishes }) => !wishes.disabled).map(({ wantedLayer }) => wantedLayer)
    const highest = Math.min(Math.max(0, ...wanted), layers.length - 1)
    const told = this.#told.get(sid) ?? layers.length - 1
    if (highest >= told) this.#lowSinceMs.delete(sid)
    if (highest === told) return undefined
    if (highest < told) {
      const sinceMs = this.#lowSinceMs.get(sid) ?? nowMs
      this.#lowSinceMs.set(sid, sinceMs)
      if (nowMs - sinceMs < giveUpAfterMs) return undefined
    }
    this.#told.set(sid, highest)
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

  forget(publication: Publication): void {
    this.#told.delete(publication.sid)
    this.#lowSinceMs.delete(publication.sid)
  }
}
