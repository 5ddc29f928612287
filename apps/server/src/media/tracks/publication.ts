import type { TrackInfo } from '@livekit/protocol'
import type { Codec, CodecName, ExtensionIds } from '../peer/codecs.ts'
import { readVp8, startsH264Keyframe, type Vp8Descriptor } from '../rtp/video-payload.ts'
import { Layer } from './layer.ts'
import type { TrackSettings } from './track-settings.ts'

/** A packet of a track on its way from its publisher to its subscribers. */
export type MediaPacket = {
  layer: Layer
  sequenceNumber: number
  timestamp: number
  marker: boolean
  payload: Buffer
  codec: CodecName
  startsKeyframe: boolean
  vp8: Vp8Descriptor | undefined
  /** Values of header extensions that are forwarded unchanged. */
  audioLevel: Buffer | undefined
  orientation: Buffer | undefined
  receivedMs: number
}

/** A subscription as its publication uses it. */
export type Subscriber = {
  readonly settings: TrackSettings
  /** The index of the layer that the subscriber wants. */
  readonly wantedLayer: number
  forward(packet: MediaPacket): void
  forwardReport(layer: Layer | undefined, cname: string): void
  interrupt(layer?: Layer): void
}

export type Publisher = { sid: string; identity: string }

/** A published track, from the offer that starts it to the offer that ends it. */
export class Publication {
  readonly info: TrackInfo
  readonly publisher: Publisher
  /** The MID of the section in the publisher's description. */
  readonly mid: string
  readonly kind: 'audio' | 'video'
  readonly codecs: readonly Codec[]
  readonly extensions: ExtensionIds
  readonly layers: readonly Layer[]
  readonly subscriptions = new Set<Subscriber>()
  readonly #sendKeyframeRequest: (ssrc: number) => void
  /** Called with the audio level (RFC 6464) of each packet, to detect active speakers. */
  onAudioLevel: ((level: number, nowMs: number) => void) | undefined

  constructor(options: {
    info: TrackInfo
    publisher: Publisher
    mid: string
    kind: 'audio' | 'video'
    codecs: readonly Codec[]
    extensions: ExtensionIds
    rids: readonly string[]
    sendKeyframeRequest: (ssrc: number) => void
  }) {
    this.info = options.info
    this.publisher = options.publisher
    this.mid = options.mid
    this.kind = options.kind
    this.codecs = options.codecs
    this.extensions = options.extensions
    this.#sendKeyframeRequest = options.sendKeyframeRequest
    const clockRate = options.codecs[0]?.clockRate ?? 90_000
    const rids = options.rids.length === 0 ? [''] : options.rids
    this.layers = rids.map((rid, index) => new Layer(index, rid, clockRate))
  }

  get sid(): string {
    return this.info.sid
  }

  /** Forward a packet of a layer to the subscribers. Drops packets of a muted track, even if the client sends them. */
  receive(layer: Layer, packet: Omit<MediaPacket, 'layer' | 'startsKeyframe' | 'vp8'>): void {
    layer.recordPacket(packet.payload.length, packet.receivedMs)
    if (packet.marker) for (const other of this.layers) if (other !== layer) other.recordFrameElsewhere(layer.index)
    if (this.info.muted) return
    if (packet.audioLevel !== undefined) {
      this.onAudioLevel?.(packet.audioLevel.readUInt8(0) & 0x7f, packet.receivedMs)
    }
    const vp8 = packet.codec === 'vp8' ? readVp8(packet.payload) : undefined
    const startsKeyframe =
      packet.codec === 'opus' || (vp8 === undefined ? startsH264Keyframe(packet.payload) : vp8.startsKeyframe)
    const forwarded = { ...packet, layer, vp8, startsKeyframe }
    for (const subscription of this.subscriptions) subscription.forward(forwarded)
  }

  /** The layers to choose from: those that are settled, or while there is none, those of which packets arrive. */
  usableLayers(nowMs: number): readonly Layer[] {
    const settled = this.layers.filter((layer) => layer.isSettled(nowMs))
    return settled.length > 0 ? settled : this.layers.filter((layer) => layer.isActive(nowMs))
  }

  requestKeyframe(layer: Layer, nowMs: number): void {
    const ssrc = layer.reception?.ssrc
    if (ssrc !== undefined && layer.takeKeyframeRequest(nowMs)) this.#sendKeyframeRequest(ssrc)
  }
}
