import type { Codec, CodecName, ExtensionIds } from '../peer/codecs.ts'
import { writeSenderReport } from '../rtp/rtcp.ts'
import { absoluteSendTime, writeRtpHeader } from '../rtp/rtp-packet.ts'
import { alignTimestamps, RtpRewriter, timestampDifference } from '../rtp/rtp-rewriter.ts'
import { Vp8Rewriter } from '../rtp/video-payload.ts'
import { type Layer, packetOverhead } from './layer.ts'
import { chooseLayer, type LayerState, noLayer } from './layer-allocation.ts'
import type { MediaPacket, Publication, Subscriber } from './publication.ts'
import { defaultTrackSettings, type TrackSettings, wantedLayerOf } from './track-settings.ts'

/** The transport to the subscriber. */
export type PacketSender = {
  /** Whether the transport is connected. */
  readonly isOpen: boolean
  /** Record a packet that is sent now. Return its transport sequence number. */
  recordSent(ssrc: number, octets: number, nowMs: number): number
  sendRtp(header: Buffer, payload: Buffer): void
  sendRtcp(packet: Buffer): void
}

/** The section of the subscriber's description to which the track is assigned. */
type AssignedSection = { mid: string; codecs: readonly Codec[]; extensions: ExtensionIds }

/**
 * The limit of retransmissions as a fraction of the sent media: on a congested downlink, unlimited retransmissions
 * would displace new media. The credit covers a short loss completely.
 */
const resendShare = 0.25
const maxResendCredit = 64 * 1024
/** The most that one packet can carry (RFC 3550, 5.1); its last octet is the length. */
const padding = Buffer.alloc(255)
padding.writeUInt8(255, 254)

/** One subscriber's copy of a track. */
export class Subscription implements Subscriber {
  readonly publication: Publication
  readonly ssrc: number
  readonly rtxSsrc: number
  section: AssignedSection | undefined
  settings: TrackSettings = defaultTrackSettings
  /** The largest layer that the subscriber's bandwidth allows, or `noLayer`. */
  #allowedLayer = Number.POSITIVE_INFINITY
  readonly #sender: PacketSender
  readonly #rewriter = new RtpRewriter()
  readonly #vp8Rewriter = new Vp8Rewriter()
  readonly #sent = new SentPackets()
  #current: Layer | undefined
  /** The next forwarded packet must start a keyframe (for video). */
  #interrupted = true
  #lastSentMs = 0
  #packets = 0
  #octets = 0
  #retransmitted = 0
  #resendCredit = maxResendCredit

  constructor(publication: Publication, ssrc: number, rtxSsrc: number, sender: PacketSender) {
    this.publication = publication
    this.ssrc = ssrc
    this.rtxSsrc = rtxSsrc
    this.#sender = sender
  }

  get current(): Layer | undefined {
    return this.#current
  }

  /** Whether this is video that does not fit into the subscriber's bandwidth. */
  get isPaused(): boolean {
    return this.#allowedLayer === noLayer
  }

  /**
   * Allow a layer and the smaller ones. On a congested line a larger one ends at once, before the smaller one has sent a
   * keyframe: it would only fill the line.
   */
  allow(layer: number, isCongested: boolean): void {
    this.#allowedLayer = layer
    const isTooLarge = this.#current !== undefined && this.#current.index > layer
    if (layer === noLayer || (isCongested && isTooLarge)) this.#stop()
  }

  /** Send nothing before the next keyframe, and repeat nothing from before it. */
  #stop(): void {
    this.#interrupted = true
    this.#sent.clear()
  }

  /** Whether this is video that cannot be shown, or not in the wanted layer, before the next keyframe. */
  awaitsKeyframe(nowMs: number): boolean {
    if (this.publication.kind !== 'video' || this.section === undefined || this.settings.disabled) return false
    if (this.publication.info.muted || this.isPaused || !this.#sender.isOpen) return false
    const target = this.#target(nowMs)
    // A static screen has no active layer, and what it has sent still holds.
    return this.#interrupted || (target !== undefined && target !== this.#current)
  }

  layerStates(nowMs: number): LayerState[] {
    const { layers, info } = this.publication
    const usable = this.publication.usableLayers(nowMs)
    return layers.map((layer) => ({
      index: layer.index,
      active: usable.includes(layer),
      // What the publisher has announced, until the layer has sent for a second.
      bitsPerSecond: layer.bitsPerSecond || (info.layers[layer.index]?.bitrate ?? 0),
    }))
  }

  /** The bitrate of the layer that is sent now. */
  sentBitsPerSecond(nowMs: number): number {
    const isSent = !this.#interrupted && this.#current?.isActive(nowMs)
    return isSent ? (this.#current?.bitsPerSecond ?? 0) : 0
  }

  get wantedLayer(): number {
    return wantedLayerOf(this.settings, this.publication.info.layers)
  }

  forward(packet: MediaPacket): void {
    const codec = this.#sender.isOpen ? this.section?.codecs.find(({ name }) => name === packet.codec) : undefined
    if (codec === undefined || this.settings.disabled || this.isPaused) {
      this.#interrupted = true
      return
    }
    if (this.#interrupted || packet.layer !== this.#current) {
      const mayBegin = packet.startsKeyframe && packet.layer === this.#target(packet.receivedMs)
      if (!mayBegin) return
      this.#begin(packet, codec)
    }
    // Padding of the publisher's bandwidth probing.
    if (packet.payload.length === 0) {
      this.#rewriter.skip(packet.sequenceNumber)
      return
    }
    const mapped = this.#rewriter.map(packet.sequenceNumber, packet.timestamp)
    if (mapped === undefined) return
    const payload = packet.vp8 === undefined ? packet.payload : this.#vp8Rewriter.rewrite(packet.payload, packet.vp8)
    const { marker, audioLevel, orientation, receivedMs } = packet
    const outgoing = { ...mapped, marker, payload, audioLevel, orientation, sentMs: receivedMs }
    this.#send(this.ssrc, codec.payloadType, outgoing, payload)
    if (packet.codec !== 'opus') this.#sent.add(outgoing)
    this.#lastSentMs = packet.receivedMs
    this.#packets += 1
    this.#octets += payload.length
    this.#resendCredit = Math.min(this.#resendCredit + payload.length * resendShare, maxResendCredit)
  }

  /** Drop packets until the next keyframe, if `layer` is the current layer. */
  interrupt(layer = this.#current): void {
    if (layer === this.#current) this.#interrupted = true
  }

  /** Go on with a keyframe: to repeat all that a cut has lost would take longer, and show it late. */
  restart(nowMs: number): void {
    if (this.publication.kind !== 'video') return
    this.#stop()
    if (this.awaitsKeyframe(nowMs)) this.requestKeyframe(nowMs)
  }

  /** Request a keyframe of the layer to be forwarded. */
  requestKeyframe(nowMs: number): void {
    // A static screen sends no packets and has no active layer, but answers a request.
    const target =
      this.#target(nowMs) ?? this.#current ?? this.publication.layers.find(({ reception }) => reception !== undefined)
    if (target !== undefined) this.publication.requestKeyframe(target, nowMs)
  }

  resend(sequenceNumbers: readonly number[], nowMs: number): void {
    for (const sequenceNumber of sequenceNumbers) {
      if (this.#resendCredit <= 0) return
      const packet = this.#sent.take(sequenceNumber, nowMs)
      const codec = this.section?.codecs.find(({ name }) => name === this.#codecName())
      if (packet === undefined || codec === undefined) continue
      this.#resendCredit -= packet.payload.length
      if (codec.rtxPayloadType === undefined) {
        this.#send(this.ssrc, codec.payloadType, packet, packet.payload)
        continue
      }
      // RFC 4588, 4: a separate stream, with the original sequence number before the payload.
      const original = Buffer.alloc(2)
      original.writeUInt16BE(sequenceNumber)
      const again = { ...packet, sequenceNumber: this.#retransmitted++ & 0xffff }
      this.#send(this.rtxSsrc, codec.rtxPayloadType, again, Buffer.concat([original, packet.payload]))
    }
  }

  /**
   * Send a packet of padding in the stream of retransmissions, which no decoder sees. Return its length on the line; 0
   * where the client takes no retransmissions.
   */
  sendPadding(nowMs: number): number {
    const payloadType = this.section?.codecs.find(({ name }) => name === this.#codecName())?.rtxPayloadType
    if (payloadType === undefined || this.publication.kind !== 'video' || !this.#sender.isOpen) return 0
    const sequenceNumber = this.#retransmitted++ & 0xffff
    const timestamp = this.#rewriter.lastTimestamp ?? 0
    const packet = { sequenceNumber, timestamp, marker: false, audioLevel: undefined, orientation: undefined }
    return this.#send(this.rtxSsrc, payloadType, { ...packet, payload: padding, sentMs: nowMs }, padding, true)
  }

  /** Forward a sender report, by which the subscriber synchronizes audio and video. */
  forwardReport(layer: Layer | undefined, cname: string): void {
    const report = layer?.senderReport
    if (report === undefined || layer !== this.#current || this.#interrupted) return
    const rtpTimestamp = (report.rtpTimestamp + this.#rewriter.timestampOffset) >>> 0
    this.#sender.sendRtcp(
      writeSenderReport({ ...report, ssrc: this.ssrc, rtpTimestamp }, this.#packets, this.#octets, cname),
    )
  }

  #codecName(): CodecName | undefined {
    return this.publication.codecs[0]?.name
  }

  #target(nowMs: number): Layer | undefined {
    const chosen = chooseLayer(this.layerStates(nowMs), Math.min(this.wantedLayer, this.#allowedLayer))
    return chosen === undefined ? undefined : this.publication.layers[chosen]
  }

  #begin(packet: MediaPacket, codec: Codec): void {
    this.#rewriter.begin(packet.sequenceNumber, this.#offsetFor(packet, codec))
    if (packet.vp8 !== undefined) this.#vp8Rewriter.begin(packet.vp8)
    this.#interrupted = false
    this.#current = packet.layer
  }

  /** The offset to add to the timestamps of a layer that starts. */
  #offsetFor(packet: MediaPacket, { clockRate }: Codec): number {
    const last = this.#rewriter.lastTimestamp
    if (last === undefined || packet.layer === this.#current) return this.#rewriter.timestampOffset
    const from = this.#current?.senderReport
    const to = packet.layer.senderReport
    const elapsed = Math.round(((packet.receivedMs - this.#lastSentMs) * clockRate) / 1000)
    const offset =
      from === undefined || to === undefined
        ? (last + elapsed - packet.timestamp) | 0
        : alignTimestamps(from, to, this.#rewriter.timestampOffset, clockRate)
    // The other layer may have sent the same frame already: timestamps must increase.
    const ahead = timestampDifference((packet.timestamp + offset) >>> 0, last)
    return ahead > 0 ? offset : (offset - ahead + 1) | 0
  }

  /** Send a packet. Return its length on the line. */
  #send(ssrc: number, payloadType: number, sent: SentPacket, payload: Buffer, isPadded = false): number {
    const ids = this.section?.extensions ?? {}
    const transportSequence = ids.transportSequence === undefined ? undefined : Buffer.alloc(2)
    const values = [
      [ids.transportSequence, transportSequence],
      [ids.audioLevel, sent.audioLevel],
      [ids.orientation, sent.orientation],
      [ids.absoluteSendTime, ids.absoluteSendTime === undefined ? undefined : absoluteSendTime(sent.sentMs)],
    ] as const
    const extensions = values.flatMap(([id, value]) => (id === undefined || value === undefined ? [] : [{ id, value }]))
    const { sequenceNumber, timestamp, marker } = sent
    const octets = payload.length + packetOverhead
    transportSequence?.writeUInt16BE(this.#sender.recordSent(ssrc, octets, sent.sentMs))
    const header = { marker, payloadType, sequenceNumber, timestamp, ssrc, extensions, isPadded }
    this.#sender.sendRtp(writeRtpHeader(header), payload)
    return octets
  }
}

/** A sent packet, without the fields that differ in a retransmission. */
type SentPacket = {
  sequenceNumber: number
  timestamp: number
  marker: boolean
  payload: Buffer
  audioLevel: Buffer | undefined
  orientation: Buffer | undefined
  sentMs: number
}

/** Two seconds at 2 Mbit/s. The subscribers of a track share the payloads. */
const capacity = 512
/** A repeated NACK within this time was sent before the retransmission could arrive. */
const resendIntervalMs = 20

/** The last packets of a stream, for retransmissions. */
class SentPackets {
  readonly #ring: (SentPacket | undefined)[] = new Array(capacity)

  add(packet: SentPacket): void {
    this.#ring[packet.sequenceNumber % capacity] = packet
  }

  clear(): void {
    this.#ring.fill(undefined)
  }

  /** The packet; undefined if it is no longer stored or was just sent. */
  take(sequenceNumber: number, nowMs: number): SentPacket | undefined {
    const found = this.#ring[sequenceNumber % capacity]
    if (found?.sequenceNumber !== sequenceNumber || nowMs - found.sentMs < resendIntervalMs) return undefined
    found.sentMs = nowMs
    return found
  }
}
