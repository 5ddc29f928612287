import type { Codec, CodecName, ExtensionIds } from '../peer/codecs.ts'
import { writeSenderReport } from '../rtp/rtcp.ts'
import { absoluteSendTime, writeRtpHeader } from '../rtp/rtp-packet.ts'
import { alignTimestamps, RtpRewriter, timestampDifference } from '../rtp/rtp-rewriter.ts'
import { type SentPacket, SentPackets } from '../rtp/sent-packets.ts'
import { Vp8Rewriter } from '../rtp/vp8-rewriter.ts'
import type { Layer } from './layer.ts'
import { chooseLayer, type LayerState } from './layer-choice.ts'
import type { MediaPacket, Publication, Subscriber } from './publication.ts'
import { everything, type TrackWishes, wantedLayerOf } from './track-wishes.ts'

/** Where a subscription sends to. */
export type Outlet = {
  /** Whether anything can arrive: there is a connection, and keys for it. */
  readonly isOpen: boolean
  sendRtp(header: Buffer, payload: Buffer): void
  sendRtcp(packet: Buffer): void
}

/** The section of the subscriber's description that the track has got. */
export type Place = { mid: string; codecs: readonly Codec[]; extensions: ExtensionIds }

/**
 * What is sent again, as a part of what is sent: on a line that is too thin, repairs of what it cannot bear would leave no room
 * for anything else. A short disturbance is repaired whole.
 */
const resendShare = 0.25
const maxResendCredit = 64 * 1024

/** One subscriber's copy of a track. */
export class Subscription implements Subscriber {
  readonly publication: Publication
  readonly ssrc: number
  readonly rtxSsrc: number
  place: Place | undefined
  wishes: TrackWishes = everything
  /** The largest layer that the subscriber's line bears. */
  allowedLayer = Number.POSITIVE_INFINITY
  readonly #outlet: Outlet
  readonly #rewriter = new RtpRewriter()
  readonly #pictures = new Vp8Rewriter()
  readonly #sent = new SentPackets()
  #current: Layer | undefined
  /** A cut: what comes next begins anew, of a picture with a keyframe. */
  #interrupted = true
  #lastSentMs = 0
  #packets = 0
  #octets = 0
  #retransmitted = 0
  #resendCredit = maxResendCredit

  constructor(publication: Publication, ssrc: number, rtxSsrc: number, outlet: Outlet) {
    this.publication = publication
    this.ssrc = ssrc
    this.rtxSsrc = rtxSsrc
    this.#outlet = outlet
  }

  get current(): Layer | undefined {
    return this.#current
  }

  /** Video of which no picture can be shown before the next keyframe. */
  get awaitsKeyframe(): boolean {
    if (this.publication.kind !== 'video' || this.place === undefined || this.wishes.disabled) return false
    if (this.publication.info.muted || !this.#outlet.isOpen) return false
    return this.#interrupted || this.#target(this.#lastSentMs) !== this.#current
  }

  layerStates(nowMs: number): LayerState[] {
    return this.publication.layers.map((layer) => ({
      index: layer.index,
      active: layer.isActive(nowMs),
      bitsPerSecond: layer.bitsPerSecond,
    }))
  }

  get wantedLayer(): number {
    return wantedLayerOf(this.wishes, this.publication.info.layers)
  }

  /** What the wanted layer takes. */
  wantedBitsPerSecond(nowMs: number): number {
    const chosen = chooseLayer(this.layerStates(nowMs), this.wantedLayer)
    return chosen === undefined ? 0 : (this.publication.layers[chosen]?.bitsPerSecond ?? 0)
  }

  forward(packet: MediaPacket): void {
    const codec = this.#outlet.isOpen ? this.place?.codecs.find(({ name }) => name === packet.codec) : undefined
    if (codec === undefined || this.wishes.disabled) {
      this.#interrupted = true
      return
    }
    if (this.#interrupted || packet.layer !== this.#current) {
      const mayBegin = packet.startsKeyframe && packet.layer === this.#target(packet.receivedMs)
      if (!mayBegin) return
      this.#begin(packet, codec)
    }
    // Padding that only measures the publisher's line.
    if (packet.payload.length === 0) {
      this.#rewriter.skip(packet.sequenceNumber)
      return
    }
    const mapped = this.#rewriter.map(packet.sequenceNumber, packet.timestamp)
    if (mapped === undefined) return
    const payload = packet.vp8 === undefined ? packet.payload : this.#pictures.rewrite(packet.payload, packet.vp8)
    const { marker, audioLevel, orientation, receivedMs } = packet
    const sent = { ...mapped, marker, payload, audioLevel, orientation, sentMs: receivedMs }
    this.#send(this.ssrc, codec.payloadType, sent, payload)
    if (packet.codec !== 'opus') this.#sent.add(sent)
    this.#lastSentMs = packet.receivedMs
    this.#packets += 1
    this.#octets += payload.length
    this.#resendCredit = Math.min(this.#resendCredit + payload.length * resendShare, maxResendCredit)
  }

  /** Nothing of what comes before the next keyframe fits to what was sent; of one layer, or of all. */
  interrupt(layer = this.#current): void {
    if (layer === this.#current) this.#interrupted = true
  }

  /** Asks for what cannot go on without a keyframe. */
  requestKeyframe(nowMs: number): void {
    // A screen that stands still sends nothing, and is asked all the same.
    const target =
      this.#target(nowMs) ?? this.#current ?? this.publication.layers.find(({ reception }) => reception !== undefined)
    if (target !== undefined) this.publication.requestKeyframe(target, nowMs)
  }

  resend(sequenceNumbers: readonly number[], nowMs: number): void {
    for (const sequenceNumber of sequenceNumbers) {
      if (this.#resendCredit <= 0) return
      const packet = this.#sent.take(sequenceNumber, nowMs)
      const codec = this.place?.codecs.find(({ name }) => name === this.#codecName())
      if (packet === undefined || codec === undefined) continue
      this.#resendCredit -= packet.payload.length
      if (codec.rtxPayloadType === undefined) {
        this.#send(this.ssrc, codec.payloadType, packet, packet.payload)
        continue
      }
      // RFC 4588, 4: a stream of its own, the original number before the payload.
      const original = Buffer.alloc(2)
      original.writeUInt16BE(sequenceNumber)
      const again = { ...packet, sequenceNumber: this.#retransmitted++ & 0xffff }
      this.#send(this.rtxSsrc, codec.rtxPayloadType, again, Buffer.concat([original, packet.payload]))
    }
  }

  /** Hands on a report of the publisher's clock, so that voice and picture stay in step. */
  forwardReport(layer: Layer | undefined, cname: string): void {
    const report = layer?.senderReport
    if (report === undefined || layer !== this.#current || this.#interrupted) return
    const rtpTimestamp = (report.rtpTimestamp + this.#rewriter.timestampDistance) >>> 0
    this.#outlet.sendRtcp(
      writeSenderReport({ ...report, ssrc: this.ssrc, rtpTimestamp }, this.#packets, this.#octets, cname),
    )
  }

  #codecName(): CodecName | undefined {
    return this.publication.codecs[0]?.name
  }

  #target(nowMs: number): Layer | undefined {
    const chosen = chooseLayer(this.layerStates(nowMs), Math.min(this.wantedLayer, this.allowedLayer))
    return chosen === undefined ? undefined : this.publication.layers[chosen]
  }

  #begin(packet: MediaPacket, codec: Codec): void {
    this.#rewriter.begin(packet.sequenceNumber, this.#distanceFor(packet, codec))
    if (packet.vp8 !== undefined) this.#pictures.begin(packet.vp8)
    this.#interrupted = false
    this.#current = packet.layer
  }

  /** What to add to the timestamps of a layer that begins. */
  #distanceFor(packet: MediaPacket, { clockRate }: Codec): number {
    const last = this.#rewriter.lastTimestamp
    if (last === undefined || packet.layer === this.#current) return this.#rewriter.timestampDistance
    const from = this.#current?.senderReport
    const to = packet.layer.senderReport
    const elapsed = Math.round(((packet.receivedMs - this.#lastSentMs) * clockRate) / 1000)
    const distance =
      from === undefined || to === undefined
        ? (last + elapsed - packet.timestamp) | 0
        : alignTimestamps(from, to, this.#rewriter.timestampDistance, clockRate)
    // The same moment may have been sent in the other layer: time never stands still.
    const ahead = timestampDifference((packet.timestamp + distance) >>> 0, last)
    return ahead > 0 ? distance : (distance - ahead + 1) | 0
  }

  #send(ssrc: number, payloadType: number, sent: SentPacket, payload: Buffer): void {
    const ids = this.place?.extensions ?? {}
    const values = [
      [ids.audioLevel, sent.audioLevel],
      [ids.orientation, sent.orientation],
      [ids.absoluteSendTime, ids.absoluteSendTime === undefined ? undefined : absoluteSendTime(sent.sentMs)],
    ] as const
    const extensions = values.flatMap(([id, value]) => (id === undefined || value === undefined ? [] : [{ id, value }]))
    const { sequenceNumber, timestamp, marker } = sent
    this.#outlet.sendRtp(writeRtpHeader({ marker, payloadType, sequenceNumber, timestamp, ssrc, extensions }), payload)
  }
}
