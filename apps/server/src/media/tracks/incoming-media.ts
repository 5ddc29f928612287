import type { ControlMessage } from '../rtp/rtcp.ts'
import { writeNack, writeReceiverReport } from '../rtp/rtcp.ts'
import { type RtpHeader, readExtension, readPayload, readRtpHeader } from '../rtp/rtp-packet.ts'
import { TransportFeedback } from '../rtp/transport-feedback.ts'
import type { Layer } from './layer.ts'
import type { Publication } from './publication.ts'

type Route = { publication: Publication; layer: Layer; retransmits: boolean }

/** A client needs two for each layer it sends. */
const maxRoutes = 64
const maxStatements = 31

/**
 * What comes from one client, sorted to the tracks that it may publish. A stream belongs to a track because the offer said
 * so or because its packets bear the section's name; what belongs to none is dropped.
 */
export class IncomingMedia {
  readonly #routes = new Map<number, Route>()
  readonly #feedback = new TransportFeedback()
  #publications: readonly Publication[] = []
  #transportSequenceId: number | undefined
  #loss = 0

  /** The tracks that are published from now on, and the streams that the offer announced for them. */
  setPublications(
    publications: readonly Publication[],
    announced: ReadonlyMap<string, readonly { ssrc: number; rtxSsrc: number | undefined }[]>,
  ): void {
    this.#publications = publications
    // One number for the whole bundle (RFC 9143, 9.1).
    this.#transportSequenceId = publications.find(
      ({ extensions }) => extensions.transportSequence,
    )?.extensions.transportSequence
    for (const [ssrc, { publication }] of this.#routes) {
      if (!publications.includes(publication)) this.#routes.delete(ssrc)
    }
    for (const publication of publications) {
      const [layer, ...others] = publication.layers
      const [stream] = announced.get(publication.mid) ?? []
      // With simulcast each layer has a stream, and only its packets say which.
      if (layer === undefined || others.length > 0 || stream === undefined || layer.rid !== '') continue
      this.#add(stream.ssrc, { publication, layer, retransmits: false })
      if (stream.rtxSsrc !== undefined) this.#add(stream.rtxSsrc, { publication, layer, retransmits: true })
    }
  }

  receive(packet: Buffer, nowMs: number): void {
    const header = readRtpHeader(packet)
    if (header === undefined) return
    const sequence = readExtension(packet, header, this.#transportSequenceId)
    if (sequence?.length === 2) this.#feedback.note(sequence.readUInt16BE(), nowMs)
    const route = this.#routes.get(header.ssrc) ?? this.#findRoute(packet, header)
    const payload = readPayload(packet, header)
    if (route === undefined || payload === undefined) return
    const { publication, layer, retransmits } = route
    const codec = publication.codecs.find(
      ({ payloadType, rtxPayloadType }) => header.payloadType === (retransmits ? rtxPayloadType : payloadType),
    )
    if (codec === undefined || (retransmits && payload.length < 2)) return
    const sequenceNumber = retransmits ? payload.readUInt16BE(0) : header.sequenceNumber
    // Its packets have nothing to do with those of the stream before.
    if (!retransmits && layer.reception !== undefined && layer.reception.ssrc !== header.ssrc) {
      for (const subscription of publication.subscriptions) subscription.interrupt(layer)
    }
    const reception = retransmits ? layer.reception : layer.bind(header.ssrc)
    reception?.receive(sequenceNumber, header.timestamp, nowMs)
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

  /** A report of the client's clock. Returns the track and layer that it is for. */
  noteReport(message: ControlMessage & { kind: 'sender-report' }, nowMs: number): Route | undefined {
    const route = this.#routes.get(message.ssrc)
    if (route === undefined || route.retransmits) return undefined
    route.layer.reception?.noteSenderReport(message, nowMs)
    return route
  }

  /** Requests for the packets that are missing now. Of a voice none: it is repaired from the packet after. */
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

  /** The report on when each packet came. */
  takeFeedback(sender: number): Buffer | undefined {
    const [ssrc = 0] = this.#routes.keys()
    return this.#feedback.take(sender, ssrc)
  }

  /** The part of the packets that was lost on the way to us, of late. */
  get loss(): number {
    return this.#loss
  }

  takeReceiverReport(sender: number, nowMs: number): Buffer {
    const statements = this.#publications.flatMap(({ layers }) =>
      layers.flatMap(({ reception }) => (reception === undefined ? [] : [reception.takeStatement(nowMs)])),
    )
    this.#loss = Math.max(0, ...statements.map(({ fractionLost }) => fractionLost)) / 256
    return writeReceiverReport(sender, statements.slice(0, maxStatements))
  }

  #findRoute(packet: Buffer, header: RtpHeader): Route | undefined {
    for (const publication of this.#publications) {
      const { extensions, mid, layers } = publication
      if (readExtension(packet, header, extensions.mid)?.toString('latin1') !== mid) continue
      const repaired = readExtension(packet, header, extensions.repairedRid)?.toString('latin1')
      const rid = repaired ?? readExtension(packet, header, extensions.rid)?.toString('latin1') ?? ''
      const layer = layers.find((one) => one.rid === rid)
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
