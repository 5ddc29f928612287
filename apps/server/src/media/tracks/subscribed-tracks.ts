import { StreamState, StreamStateInfo, StreamStateUpdate } from '@livekit/protocol'
import type { Random } from '../../platform/random.ts'
import { chooseCodecs, extensionIdsOf } from '../peer/codecs.ts'
import type { SectionAnswer } from '../peer/sdp-answer.ts'
import type { OfferedSection } from '../peer/sdp-offer.ts'
import type { Publication } from './publication.ts'
import { type PacketSender, Subscription } from './subscription.ts'

type Kind = 'audio' | 'video'
/** A section in which the client receives: free once the end of its last track was answered. */
type Section = { kind: Kind; holder: Subscription | undefined; ending: boolean }

/** The subscriptions of one participant, and their sections in its description. Sections are reused. */
export class SubscribedTracks {
  readonly #subscriptions = new Map<string, Subscription>()
  readonly #reported = new WeakSet<Subscription>()
  /** The subscriptions that the client knows to be paused. */
  readonly #paused = new Set<Subscription>()
  readonly #sections = new Map<string, Section>()
  readonly #random: Random
  readonly #sender: PacketSender & { removeStream(ssrc: number): void }
  /** Sections that were requested and not offered yet. */
  #requested = { audio: 0, video: 0 }

  constructor(random: Random, sender: PacketSender & { removeStream(ssrc: number): void }) {
    this.#random = random
    this.#sender = sender
  }

  get all(): readonly Subscription[] {
    return [...this.#subscriptions.values()]
  }

  bySsrc(ssrc: number): Subscription | undefined {
    return [...this.#subscriptions.values()].find((subscription) => subscription.ssrc === ssrc)
  }

  get(trackSid: string): Subscription | undefined {
    return this.#subscriptions.get(trackSid)
  }

  /** Subscribe to a track, which is sent from the next answer on. False if it is subscribed to already. */
  add(publication: Publication): boolean {
    if (this.#subscriptions.has(publication.sid)) return false
    const generateSsrc = () => this.#random.below(2 ** 32 - 1) + 1
    const subscription = new Subscription(publication, generateSsrc(), generateSsrc(), this.#sender)
    this.#subscriptions.set(publication.sid, subscription)
    publication.subscriptions.add(subscription)
    return true
  }

  /** Unsubscribe from a track. False if it is not subscribed to. */
  remove(publication: Publication): boolean {
    const subscription = this.#subscriptions.get(publication.sid)
    if (subscription === undefined) return false
    this.#subscriptions.delete(publication.sid)
    this.#paused.delete(subscription)
    publication.subscriptions.delete(subscription)
    this.#sender.removeStream(subscription.ssrc)
    this.#sender.removeStream(subscription.rtxSsrc)
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

  /** Start to answer an offer: remove the sections that it no longer has. */
  beginAnswer(sections: readonly OfferedSection[]): void {
    this.#requested = { audio: 0, video: 0 }
    const receiving = new Set(sections.filter(isReceiving).map(({ mid }) => mid))
    for (const [mid, { holder }] of this.#sections) {
      if (receiving.has(mid)) continue
      if (holder !== undefined) holder.section = undefined
      this.#sections.delete(mid)
    }
  }

  /** Answer a section in which the client receives. */
  answer(offered: OfferedSection): SectionAnswer {
    const kind = offered.kind === 'audio' ? 'audio' : 'video'
    const codecs = chooseCodecs(offered)
    const extensions = extensionIdsOf(offered)
    if (codecs.length === 0) return { kind: 'reject' }
    const section = this.#sections.get(offered.mid) ?? { kind, holder: undefined, ending: false }
    this.#sections.set(offered.mid, section)
    // The client does not notice a section that changes from one track to another without an inactive answer (RFC 8829,
    // 5.10).
    if (section.ending) section.ending = false
    else section.holder ??= this.#waiting(kind)[0]
    const { holder } = section
    if (holder === undefined) return { kind: 'inactive', codecs, extensions }
    holder.section = { mid: offered.mid, codecs, extensions }
    const { publisher, info, sid } = holder.publication
    const stream = {
      ssrc: holder.ssrc,
      rtxSsrc: holder.rtxSsrc,
      streamId: `${publisher.sid}|${info.stream}`,
      trackId: sid,
    }
    return { kind: 'send', codecs, extensions, stream }
  }

  /** The tracks that were assigned to a section since the last call. */
  takeNewlyAssigned(): Publication[] {
    const assigned = [...this.#subscriptions.values()].filter(
      (subscription) => subscription.section !== undefined && !this.#reported.has(subscription),
    )
    for (const subscription of assigned) this.#reported.add(subscription)
    return assigned.map(({ publication }) => publication)
  }

  /** The videos that were paused or resumed since the last call; undefined if there are none. */
  takeStreamStates(): StreamStateUpdate | undefined {
    const changed = [...this.#subscriptions.values()].filter((one) => one.isPaused !== this.#paused.has(one))
    for (const one of changed) {
      if (one.isPaused) this.#paused.add(one)
      else this.#paused.delete(one)
    }
    return changed.length === 0 ? undefined : streamStatesOf(changed)
  }

  /** The states of all videos, for a client that may have missed an update. */
  streamStates(): StreamStateUpdate {
    return streamStatesOf([...this.#subscriptions.values()].filter(({ publication }) => publication.kind === 'video'))
  }

  /** The track SIDs by the MIDs of their sections. */
  midToTrackId(): Record<string, string> {
    return Object.fromEntries(
      [...this.#subscriptions.values()].flatMap(({ section, publication }) =>
        section === undefined ? [] : [[section.mid, publication.sid]],
      ),
    )
  }

  /** The number of additional sections of each kind that the client has to offer; undefined if no offer is needed. */
  takeRequirement(): { numAudios: number; numVideos: number } | undefined {
    const missing = (kind: Kind) => {
      const free = [...this.#sections.values()].filter(
        (section) => section.kind === kind && section.holder === undefined && !section.ending,
      )
      const more = Math.max(0, this.#waiting(kind).length - free.length - this.#requested[kind])
      this.#requested[kind] += more
      return more
    }
    const isDue =
      this.#waiting('audio').length + this.#waiting('video').length > 0 ||
      [...this.#sections.values()].some(({ ending }) => ending)
    return isDue ? { numAudios: missing('audio'), numVideos: missing('video') } : undefined
  }

  #waiting(kind: Kind): Subscription[] {
    return [...this.#subscriptions.values()].filter(
      ({ publication, section }) => publication.kind === kind && section === undefined,
    )
  }
}

const streamStatesOf = (subscriptions: readonly Subscription[]) =>
  new StreamStateUpdate({
    streamStates: subscriptions.map(({ publication, isPaused }) => {
      const state = isPaused ? StreamState.PAUSED : StreamState.ACTIVE
      return new StreamStateInfo({ participantSid: publication.publisher.sid, trackSid: publication.sid, state })
    }),
  })

export const isReceiving = ({ direction, rejected, kind }: OfferedSection) =>
  direction === 'recvonly' && !rejected && (kind === 'audio' || kind === 'video')
