import type { ControlMessage } from '../rtp/rtcp.ts'
import { writeNack, writeReceiverReport } from '../rtp/rtcp.ts'
import { type RtpHeader, readExtension, readPayload, readRtpHeader } from '../rtp/rtp-packet.ts'
import { TransportFeedback } from '../rtp/transport-feedback.ts'
import type { Layer } from './layer.ts'
import type { Publication } from './publication.ts'

type Route = { publication: Publication; layer: Layer; retransmits: boolean }

/** A client needs two for each layer that it sends. */
const maxRoutes = 64
const maxReportBlocks = 31

/**
 * Routes the RTP streams of one client to its publications, by the SSRCs of the offer or by the MID in the packets (RFC
 * 9143, 9.2). Drops streams that belong to no publication.
 */
export class IncomingMedia {
  readonly #routes = new Map<number, Route>()
  readonly #feedback = new TransportFeedback()
  #publications: readonly Publication[] = []
  #transportSequenceId: number | undefined
  #loss = 0

  /** Set the current publications, with the streams that the offer announced by section. */
  setPublications(
    publications: readonly Publication[],
    announced: ReadonlyMap<string, readonly { ssrc: number; rtxSsrc: number | undefined }[]>,
  ): void {
    this.#publications = publications
    // Extension ids are the same in the whole bundle (RFC 9143, 9.1).
    this.#transportSequenceId = publications.find(
      ({ extensions }) => extensions.transportSequence,
    )?.extensions.transportSequence
    for (const [ssrc, { publication }] of this.#routes) {
      if (!publications.includes(publication)) this.#routes.delete(ssrc)
    }
    for (const publication of publications) {
      const [layer, ...others] = publication.layers
      const [stream] = announced.get(publication.mid) ?? []
      // With simulcast each layer has a stream, identified by the RID in its packets.
      if (layer === undefined || others.length > 0 || stream === undefined || layer.rid !== '') continue
      this.#add(stream.ssrc, { publication, layer, retransmits: false })
      if (stream.rtxSsrc !== undefined) this.#add(stream.rtxSsrc, { publication, layer, retransmits: true })
    }
  }

  receive(packet: Buffer, nowMs: number): void {
    const header = readRtpHeader(packet)
    if (header === undefined) return
    const sequence = readExtension(packet, header, this.#transportSequenceId)
    if (sequence?.length === 2) this.#feedback.recordArrival(sequence.readUInt16BE(), nowMs)
    const route = this.#routes.get(header.ssrc) ?? this.#findRoute(packet, header)
    const payload = readPayload(packet, header)
    if (route === undefined || payload === undefined) return
    const { publication, layer, retransmits } = route
    const codec = publication.codecs.find(
      ({ payloadType, rtxPayloadType }) => header.payloadType === (retransmits ? rtxPayloadType : payloadType),
    )
    if (codec === undefined || (retransmits && payload.length < 2)) return
    const sequenceNumber = retransmits ? payload.readUInt16BE(0) : header.sequenceNumber
    // A new stream does not continue the last one.
    if (!retransmits && layer.reception !== undefined && layer.reception.ssrc !== header.ssrc) {
      for (const subscription of publication.subscriptions) subscription.interrupt(layer)
    }
    const reception = retransmits ? layer.reception : layer.bind(header.ssrc)
    if (!reception?.receive(sequenceNumber, header.timestamp, nowMs)) return
    publication.receive(layer, {
      sequenceNumber,
      timestamp: header.timestamp,
      marker: header.marker,
      payload: retransmits ? payload.subarray(2) : payload,
      codec: codec.name,
      audioLevel: readExtension(packet, header, publication.extensions.audioLevel),
      orientation: readExtension(packet, header, publication.extensions.orientation),
      receivedMs: nowMs,
    })
  }

  /** Record a sender report. Return the publication and the layer of its stream. */
  recordSenderReport(message: ControlMessage & { kind: 'sender-report' }, nowMs: number): Route | undefined {
    const route = this.#routes.get(message.ssrc)
    if (route === undefined || route.retransmits) return undefined
    route.layer.reception?.recordSenderReport(message, nowMs)
    return route
  }

  /** NACKs for missing packets of video. Audio is repaired by in-band FEC. */
  takeNacks(sender: number, nowMs: number): Buffer[] {
    return this.#publications
      .filter(({ kind }) => kind === 'video')
      .flatMap(({ layers }) =>
        layers.flatMap(({ reception }) => {
          const missing = reception?.takeMissing(nowMs) ?? []
          return reception === undefined || missing.length === 0 ? [] : [writeNack(sender, reception.ssrc, missing)]
        }),
      )
  }

  /** The transport feedback on arrival times; undefined without new packets. */
  takeFeedback(sender: number): Buffer | undefined {
    const [ssrc = 0] = this.#routes.keys()
    return this.#feedback.take(sender, ssrc)
  }

  /** The fraction of packets lost on the uplink in the last report, from 0 to 1. */
  get loss(): number {
    return this.#loss
  }

  takeReceiverReport(sender: number, nowMs: number): Buffer {
    const reportBlocks = this.#publications.flatMap(({ layers }) =>
      layers.flatMap(({ reception }) => (reception === undefined ? [] : [reception.takeReportBlock(nowMs)])),
    )
    this.#loss = Math.max(0, ...reportBlocks.map(({ fractionLost }) => fractionLost)) / 256
    return writeReceiverReport(sender, reportBlocks.slice(0, maxReportBlocks))
  }

  #findRoute(packet: Buffer, header: RtpHeader): Route | undefined {
    for (const publication of this.#publications) {
      const { extensions, mid, layers } = publication
      if (readExtension(packet, header, extensions.mid)?.toString('latin1') !== mid) continue
      const repaired = readExtension(packet, header, extensions.repairedRid)?.toString('latin1')
      const rid = repaired ?? readExtension(packet, header, extensions.rid)?.toString('latin1') ?? ''
      const layer = layers.find((candidate) => candidate.rid === rid)
      if (layer === undefined) return undefined
      const isRtx = publication.codecs.some(({ rtxPayloadType }) => rtxPayloadType === header.payloadType)
      return this.#add(header.ssrc, { publication, layer, retransmits: repaired !== undefined || isRtx })
    }
    return undefined
  }

  #add(ssrc: number, route: Route): Route {
    if (this.#routes.size >= maxRoutes) {
      const [oldest] = this.#routes.keys()
      if (oldest !== undefined) this.#routes.delete(oldest)
    }
    this.#routes.set(ssrc, route)
    return route
  }
}
