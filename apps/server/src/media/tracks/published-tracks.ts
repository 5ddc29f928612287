import {
  type AddTrackRequest,
  SimulcastCodecInfo,
  TimedVersion,
  TrackInfo,
  TrackSource,
  TrackType,
} from '@livekit/protocol'
import type { Random } from '../../platform/random.ts'
import { chooseCodecs, extensionIdsOf, mimeTypeOf } from '../peer/codecs.ts'
import type { SectionAnswer } from '../peer/sdp-answer.ts'
import type { Offer, OfferedSection } from '../peer/sdp-offer.ts'
import { Publication, type Publisher } from './publication.ts'
import { generateSid } from './sid.ts'

/** Camera, microphone, a shared screen with audio, and as many again. */
const maxTracks = 8
const maxLayers = 3
const maxTrackTextLength = 256

type TrackRefusal = 'not-a-track' | 'too-many'

/**
 * The tracks of one participant: pending after AddTrackRequest, published by an offer with them, ended by one without.
 */
export class PublishedTracks {
  readonly #publisher: Publisher
  readonly #random: Random
  readonly #sendKeyframeRequest: (ssrc: number) => void
  readonly #announced = new Map<string, { info: TrackInfo; request: AddTrackRequest }>()
  readonly #published = new Map<string, Publication>()

  constructor(publisher: Publisher, random: Random, sendKeyframeRequest: (ssrc: number) => void) {
    this.#publisher = publisher
    this.#random = random
    this.#sendKeyframeRequest = sendKeyframeRequest
  }

  /** The published tracks. */
  get all(): Publication[] {
    return [...this.#published.values()]
  }

  get(trackSid: string): Publication | undefined {
    return this.#published.get(trackSid)
  }

  /** Add a pending track, which a later offer may publish. A repeated request returns the same track. */
  addTrack(request: AddTrackRequest): TrackInfo | TrackRefusal {
    const known = this.#announced.get(request.cid)
    if (known !== undefined) return known.info
    if (!isTrack(request)) return 'not-a-track'
    if (this.#announced.size + this.#published.size >= maxTracks) return 'too-many'
    const info = new TrackInfo({
      sid: generateSid(
        this.#random,
        `TR_${request.type === TrackType.AUDIO ? 'A' : 'V'}${sourceLetters[request.source]}`,
      ),
      type: request.type,
      name: request.name,
      muted: request.muted,
      width: request.width,
      height: request.height,
      simulcast: request.type === TrackType.VIDEO && request.layers.length > 1,
      disableDtx: request.disableDtx,
      source: request.source,
      layers: request.layers.toSorted((a, b) => a.quality - b.quality),
      stereo: request.stereo,
      disableRed: true,
      encryption: request.encryption,
      stream: request.stream || (isOfScreen(request.source) ? 'screen_share' : 'camera'),
      audioFeatures: request.audioFeatures,
      version: new TimedVersion(),
    })
    this.#announced.set(request.cid, { info, request })
    return info
  }

  /** The info of a pending or published track. */
  infoOf(trackSid: string): TrackInfo | undefined {
    const announced = [...this.#announced.values()].find(({ info }) => info.sid === trackSid)
    return this.#published.get(trackSid)?.info ?? announced?.info
  }

  /** Apply an offer: end the publications that it no longer has and start its new ones. */
  applyOffer(offer: Offer): { ended: Publication[]; begun: Publication[] } {
    const sending = offer.sections.filter(isSending)
    const ended = this.all.filter(({ mid }) => !sending.some((section) => section.mid === mid))
    for (const { sid } of ended) this.#published.delete(sid)
    const begun = sending.flatMap((section) => this.#begin(section))
    for (const publication of begun) this.#published.set(publication.sid, publication)
    return { ended, begun }
  }

  /** Remove a pending or published track. */
  remove(trackSid: string): Publication | undefined {
    for (const [cid, { info }] of this.#announced) if (info.sid === trackSid) this.#announced.delete(cid)
    const publication = this.#published.get(trackSid)
    this.#published.delete(trackSid)
    return publication
  }

  /** The pending and published tracks whose source is not allowed. */
  forbidden(isAllowed: (source: TrackSource) => boolean): TrackInfo[] {
    const announced = [...this.#announced.values()].map(({ info }) => info)
    return [...announced, ...this.all.map(({ info }) => info)].filter(({ source }) => !isAllowed(source))
  }

  /** Answer a section in which the client sends. Without a pending track the section is inactive. */
  answer(section: OfferedSection): SectionAnswer {
    const publication = this.all.find(({ mid }) => mid === section.mid)
    const codecs = publication?.codecs ?? chooseCodecs(section)
    const extensions = extensionIdsOf(section)
    if (codecs.length === 0) return { kind: 'reject' }
    if (publication === undefined) return { kind: 'inactive', codecs, extensions }
    const { stereo, disableDtx, source } = publication.info
    const silenceSuppressed = source === TrackSource.MICROPHONE && !disableDtx
    return { kind: 'receive', codecs, extensions, opus: { stereo, silenceSuppressed } }
  }

  #begin(section: OfferedSection): Publication[] {
    if (this.all.some(({ mid }) => mid === section.mid)) return []
    const announced = this.#announced.get(section.trackId ?? '')
    const kind = section.kind === 'audio' ? 'audio' : 'video'
    if (announced === undefined || (announced.info.type === TrackType.AUDIO) !== (kind === 'audio')) return []
    const codecs = chooseCodecs(section, announced.request.simulcastCodecs[0]?.codec.toLowerCase())
    const [codec] = codecs
    if (codec === undefined) return []
    this.#announced.delete(announced.request.cid)
    const { info } = announced
    const rids = section.rids.slice(0, maxLayers)
    for (const [index, layer] of info.layers.entries()) {
      layer.rid = rids[index] ?? ''
      layer.spatialLayer = index
    }
    info.mid = section.mid
    info.mimeType = mimeTypeOf(codec.name)
    info.codecs = [
      new SimulcastCodecInfo({
        mimeType: info.mimeType,
        mid: info.mid,
        cid: announced.request.cid,
        layers: info.layers,
      }),
    ]
    const extensions = extensionIdsOf(section)
    const sendKeyframeRequest = this.#sendKeyframeRequest
    return [
      new Publication({
        info,
        publisher: this.#publisher,
        mid: section.mid,
        kind,
        codecs,
        extensions,
        rids,
        sendKeyframeRequest,
      }),
    ]
  }
}

export const isSending = ({ direction, rejected, kind }: OfferedSection) =>
  (direction === 'sendonly' || direction === 'sendrecv') && !rejected && (kind === 'audio' || kind === 'video')

const isOfScreen = (source: TrackSource) =>
  source === TrackSource.SCREEN_SHARE || source === TrackSource.SCREEN_SHARE_AUDIO

const sourceLetters: Record<TrackSource, string> = {
  [TrackSource.UNKNOWN]: 'U',
  [TrackSource.CAMERA]: 'C',
  [TrackSource.MICROPHONE]: 'M',
  [TrackSource.SCREEN_SHARE]: 'S',
  [TrackSource.SCREEN_SHARE_AUDIO]: 's',
}

/** Check a request's limits, and that its type fits its source: a camera is video, a microphone audio. */
function isTrack({ cid, name, stream, type, source, layers }: AddTrackRequest): boolean {
  if ([cid, name, stream].some((text) => text.length > maxTrackTextLength) || cid === '' || layers.length > maxLayers)
    return false
  if (type !== TrackType.AUDIO && type !== TrackType.VIDEO) return false
  if (source === TrackSource.CAMERA || source === TrackSource.SCREEN_SHARE) return type === TrackType.VIDEO
  if (source === TrackSource.MICROPHONE || source === TrackSource.SCREEN_SHARE_AUDIO) return type === TrackType.AUDIO
  return source === TrackSource.UNKNOWN
}
