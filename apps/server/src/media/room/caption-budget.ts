import type { DataPacket } from '@livekit/protocol'
import { TokenBucket } from '../../platform/token-bucket.ts'

/** Beyond LiveKit: the topic of captions, which all pages draw over their stage. */
const captionTopic = 'parley-captions'

/**
 * Captions of one participant. A page sends at most four in a second of what is said, and four of what is typed. The
 * burst is what a connection delivers at once after ten seconds without an acknowledgement.
 */
export const captionRates = { perSecond: 8, burst: 80 }

/** More than the longest caption as JSON. */
export const maxCaptionBytes = 4096

/** Limits the captions of a participant, so that no client floods the stage of the others. */
export class CaptionBudget {
  readonly #captions: TokenBucket

  constructor(nowMs: number) {
    this.#captions = new TokenBucket(captionRates, nowMs)
  }

  /** Count a packet. False for a caption that is too long or beyond the rate. */
  accepts({ value }: DataPacket, nowMs: number): boolean {
    if (value.case !== 'user' || value.value.topic !== captionTopic) return true
    return value.value.payload.length <= maxCaptionBytes && this.#captions.take(1, nowMs)
  }
}
