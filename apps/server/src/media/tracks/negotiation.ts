import { localFingerprint } from '../peer/dtls.ts'
import type { PeerTransport } from '../peer/peer-transport.ts'
import { type SectionAnswer, writeAnswer } from '../peer/sdp-answer.ts'
import { type OfferedSection, readOffer } from '../peer/sdp-offer.ts'
import type { Publication } from './publication.ts'
import { isSending, type PublishedTracks } from './published-tracks.ts'
import { isReceiving, type SubscribedTracks } from './subscribed-tracks.ts'

type Parties = {
  transport: PeerTransport
  publishing: PublishedTracks
  subscriptions: SubscribedTracks
  addresses(): readonly string[]
}

type Answered = {
  sdp: string
  /** The publications that the offer ended and started. */
  ended: Publication[]
  begun: Publication[]
  /** The announced streams by MID. */
  announced: ReadonlyMap<string, OfferedSection['ssrcs']>
}

/** The offers and answers of one client. The client always offers; its recvonly sections carry its subscriptions. */
export class Negotiation {
  #usernameFragment: string | undefined
  #version = 0

  /** Whether an offer was answered. */
  get begun(): boolean {
    return this.#version > 0
  }

  /** Answer an offer; the first one starts the transport. Throw if it is malformed. */
  answer(text: string, { transport, publishing, subscriptions, addresses }: Parties): Answered {
    const offer = readOffer(text)
    const isRestart = this.#usernameFragment !== undefined && this.#usernameFragment !== offer.usernameFragment
    if (isRestart) transport.ice.restart()
    this.#usernameFragment = offer.usernameFragment
    const { ended, begun } = publishing.applyOffer(offer)
    subscriptions.beginAnswer(offer.sections)
    this.#version += 1
    const { ice, port } = transport
    const local = { credentials: ice.local, fingerprint: localFingerprint(), addresses: addresses(), port }
    const answerTo = (section: OfferedSection) => answerSection(section, publishing, subscriptions)
    const sdp = writeAnswer(offer, answerTo, local, this.#version)
    transport.start(offer.fingerprints)
    return { sdp, ended, begun, announced: new Map(offer.sections.map(({ mid, ssrcs }) => [mid, ssrcs])) }
  }
}

function answerSection(
  section: OfferedSection,
  publishing: PublishedTracks,
  subscriptions: SubscribedTracks,
): SectionAnswer {
  if (section.rejected) return { kind: 'reject' }
  if (section.kind === 'application') {
    return /^UDP\/DTLS\/SCTP webrtc-datachannel/.test(section.protocolAndFormats)
      ? { kind: 'data' }
      : { kind: 'reject' }
  }
  if (isReceiving(section)) return subscriptions.answer(section)
  const answer = publishing.answer(section)
  return answer.kind === 'receive' && !isSending(section) ? { ...answer, kind: 'inactive' } : answer
}
