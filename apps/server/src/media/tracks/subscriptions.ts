import type { Random } from '../../platform/random.ts'
import { chooseCodecs, extensionIdsOf } from '../peer/codecs.ts'
import type { SectionAnswer } from '../peer/sdp-answer.ts'
import type { OfferedSection } from '../peer/sdp-offer.ts'
import type { Publication } from './publication.ts'
import { type Outlet, Subscription } from './subscription.ts'

type Kind = 'audio' | 'video'
/** A section in which the client receives: a track's, or free once its end was answered. */
type Section = { kind: Kind; holder: Subscription | undefined; ending: boolean }

/** The tracks that one participant gets, and the sections of its description that they stand in. Sections are used again. */
export class Subscriptions {
  readonly #subscriptions = new Map<string, Subscription>()
  readonly #announced = new WeakSet<Subscription>()
  readonly #sections = new Map<string, Section>()
  readonly #random: Random
  readonly #outlet: Outlet & { forget(ssrc: number): void }
  /** Sections that the client was asked for and has not offered yet. */
  #asked = { audio: 0, video: 0 }

  constructor(random: Random, outlet: Outlet & { forget(ssrc: number): void }) {
    this.#random = random
    this.#outlet = outlet
  }

  get all(): Iterable<Subscription> {
    return this.#subscriptions.values()
  }

  bySsrc(ssrc: number): Subscription | undefined {
    return [...this.#subscriptions.values()].find((one) => one.ssrc === ssrc)
  }

  get(trackSid: string): Subscription | undefined {
    return this.#subscriptions.get(trackSid)
  }

  /** The track is sent from the next answer on. False when it was subscribed to already. */
  add(publication: Publication): boolean {
    if (this.#subscriptions.has(publication.sid)) return false
    const draw = () => this.#random.below(2 ** 32 - 1) + 1
    const subscription = new Subscription(publication, draw(), draw(), this.#outlet)
    this.#subscriptions.set(publication.sid, subscription)
    publication.subscriptions.add(subscription)
    return true
  }

  /** Nothing more of the track is sent. False when it was not subscribed to. */
  remove(publication: Publication): boolean {
    const subscription = this.#subscriptions.get(publication.sid)
    if (subscription === undefined) return false
    this.#subscriptions.delete(publication.sid)
    publication.subscriptions.delete(subscription)
    this.#outlet.forget(subscription.ssrc)
    this.#outlet.forget(subscription.rtxSsrc)
    for (const section of this.#sections.values()) {
      if (section.holder !== subscription) continue
      section.holder = undefined
      section.ending = true
    }
    return true
  }

  clear(): void {
    for (const { publication } of [...this.#subscriptions.values()]) this.remove(publication)
  }

  /** Starts to answer an offer: sections that it no longer has are given up. */
  beginAnswer(sections: readonly OfferedSection[]): void {
    this.#asked = { audio: 0, video: 0 }
    const receiving = new Set(sections.filter(isReceiving).map(({ mid }) => mid))
    for (const [mid, { holder }] of this.#sections) {
      if (receiving.has(mid)) continue
      if (holder !== undefined) holder.place = undefined
      this.#sections.delete(mid)
    }
  }

  /** What is sent in a section in which the client receives. */
  answer(offered: OfferedSection): SectionAnswer {
    const kind = offered.kind === 'audio' ? 'audio' : 'video'
    const codecs = chooseCodecs(offered)
    const extensions = extensionIdsOf(offered)
    if (codecs.length === 0) return { kind: 'reject' }
    const section = this.#sections.get(offered.mid) ?? { kind, holder: undefined, ending: false }
    this.#sections.set(offered.mid, section)
    // A section that goes straight from one track to another would not be noticed by the client (RFC 8829, 5.10).
    if (section.ending) section.ending = false
    else section.holder ??= this.#waiting(kind)[0]
    const { holder } = section
    if (holder === undefined) return { kind: 'inactive', codecs, extensions }
    holder.place = { mid: offered.mid, codecs, extensions }
    const { publisher, info, sid } = holder.publication
    const stream = {
      ssrc: holder.ssrc,
      rtxSsrc: holder.rtxSsrc,
      streamId: `${publisher.sid}|${info.stream}`,
      trackId: sid,
    }
    return { kind: 'send', codecs, extensions, stream }
  }

  /** Tracks that got a place since this was asked before. */
  takeNewlyPlaced(): Publication[] {
    const placed = [...this.#subscriptions.values()].filter(
      (one) => one.place !== undefined && !this.#announced.has(one),
    )
    for (const one of placed) this.#announced.add(one)
    return placed.map(({ publication }) => publication)
  }

  /** Which track stands in which section, by mid. */
  placed(): Record<string, string> {
    return Object.fromEntries(
      [...this.#subscriptions.values()].flatMap(({ place, publication }) =>
        place === undefined ? [] : [[place.mid, publication.sid]],
      ),
    )
  }

  /** How many more sections of each kind the client has to offer; undefined when an offer would change nothing. */
  takeRequirement(): { numAudios: number; numVideos: number } | undefined {
    const missing = (kind: Kind) => {
      const free = [...this.#sections.values()].filter(
        (one) => one.kind === kind && one.holder === undefined && !one.ending,
      )
      const more = Math.max(0, this.#waiting(kind).length - free.length - this.#asked[kind])
      this.#asked[kind] += more
      return more
    }
    const isDue =
      this.#waiting('audio').length + this.#waiting('video').length > 0 ||
      [...this.#sections.values()].some(({ ending }) => ending)
    return isDue ? { numAudios: missing('audio'), numVideos: missing('video') } : undefined
  }

  #waiting(kind: Kind): Subscription[] {
    return [...this.#subscriptions.values()].filter(
      ({ publication, place }) => publication.kind === kind && place === undefined,
    )
  }
}

export const isReceiving = ({ direction, rejected, kind }: OfferedSection) =>
  direction === 'recvonly' && !rejected && (kind === 'audio' || kind === 'video')
