import { type ArrivalReport, readTransportFeedback } from './transport-feedback.ts'

/** The parts of RTCP (RFC 3550, 6; feedback: RFC 4585, RFC 5104) that an SFU reads and writes. */
const senderReport = 200
const receiverReport = 201
const sourceDescription = 202
const transportFeedback = 205
const payloadFeedback = 206

const genericNack = 1
const transportWide = 15
const pictureLossIndication = 1
const fullIntraRequest = 4
const applicationLayer = 15
const remb = 0x52454d42

export type SenderReport = { ssrc: number; ntpSeconds: number; ntpFraction: number; rtpTimestamp: number }
export type ReceptionReport = {
  ssrc: number
  /** The fraction lost since the last report, in 256ths. */
  fractionLost: number
  /** In units of the RTP timestamp. */
  jitter: number
}

export type ControlMessage =
  | ({ kind: 'sender-report' } & SenderReport)
  | ({ kind: 'reception' } & ReceptionReport)
  | { kind: 'nack'; ssrc: number; sequenceNumbers: number[] }
  | { kind: 'keyframe-request'; ssrc: number }
  | { kind: 'bandwidth-estimate'; bitsPerSecond: number; ssrcs: number[] }
  | ({ kind: 'arrivals' } & ArrivalReport)

/** Read a compound packet. Ignore truncated and unknown parts. */
export function readControl(compound: Buffer): ControlMessage[] {
  const messages: ControlMessage[] = []
  let at = 0
  while (at + 8 <= compound.length) {
    const length = (compound.readUInt16BE(at + 2) + 1) * 4
    const packet = compound.subarray(at, at + length)
    if (packet.readUInt8(0) >> 6 !== 2 || packet.length < length) break
    messages.push(...readPacket(packet))
    at += length
  }
  return messages
}

function readPacket(packet: Buffer): ControlMessage[] {
  const count = packet.readUInt8(0) & 0x1f
  switch (packet.readUInt8(1)) {
    case senderReport: {
      if (packet.length < 28) return []
      const report = {
        ssrc: packet.readUInt32BE(4),
        ntpSeconds: packet.readUInt32BE(8),
        ntpFraction: packet.readUInt32BE(12),
        rtpTimestamp: packet.readUInt32BE(16),
      }
      return [{ kind: 'sender-report', ...report }, ...readReceptions(packet, 28, count)]
    }
    case receiverReport:
      return readReceptions(packet, 8, count)
    case transportFeedback:
      return count === genericNack ? readNack(packet) : count === transportWide ? readArrivals(packet) : []
    case payloadFeedback:
      return readPayloadFeedback(packet, count)
    default:
      return []
  }
}

function readReceptions(packet: Buffer, start: number, count: number): ControlMessage[] {
  const reports: ControlMessage[] = []
  for (let at = start; at + 24 <= packet.length && reports.length < count; at += 24) {
    const fractionLost = packet.readUInt8(at + 4)
    reports.push({
      kind: 'reception',
      ssrc: packet.readUInt32BE(at),
      fractionLost,
      jitter: packet.readUInt32BE(at + 12),
    })
  }
  return reports
}

function readNack(packet: Buffer): ControlMessage[] {
  if (packet.length < 16) return []
  const sequenceNumbers: number[] = []
  for (let at = 12; at + 4 <= packet.length; at += 4) {
    const base = packet.readUInt16BE(at)
    const following = packet.readUInt16BE(at + 2)
    sequenceNumbers.push(base)
    for (let bit = 0; bit < 16; bit++) {
      if ((following & (1 << bit)) !== 0) sequenceNumbers.push((base + bit + 1) & 0xffff)
    }
  }
  return [{ kind: 'nack', ssrc: packet.readUInt32BE(8), sequenceNumbers }]
}

function readArrivals(packet: Buffer): ControlMessage[] {
  const report = readTransportFeedback(packet)
  return report === undefined ? [] : [{ kind: 'arrivals', ...report }]
}

function readPayloadFeedback(packet: Buffer, format: number): ControlMessage[] {
  if (packet.length < 12) return []
  if (format === pictureLossIndication) return [{ kind: 'keyframe-request', ssrc: packet.readUInt32BE(8) }]
  if (format === fullIntraRequest && packet.length >= 20) {
    return [{ kind: 'keyframe-request', ssrc: packet.readUInt32BE(12) }]
  }
  if (format !== applicationLayer || packet.length < 20 || packet.readUInt32BE(12) !== remb) return []
  const exponent = packet.readUInt8(17) >> 2
  const mantissa = ((packet.readUInt8(17) & 0x03) << 16) | packet.readUInt16BE(18)
  const ssrcs: number[] = []
  for (let at = 20; at + 4 <= packet.length && ssrcs.length < packet.readUInt8(16); at += 4)
    ssrcs.push(packet.readUInt32BE(at))
  return [{ kind: 'bandwidth-estimate', bitsPerSecond: mantissa * 2 ** exponent, ssrcs }]
}

/** A packet with header and sender SSRC, and `length` empty octets after both. */
function start(type: number, count: number, sender: number, length: number): Buffer {
  const packet = Buffer.alloc(8 + length)
  packet.writeUInt8(0x80 | count, 0)
  packet.writeUInt8(type, 1)
  packet.writeUInt16BE(packet.length / 4 - 1, 2)
  packet.writeUInt32BE(sender, 4)
  return packet
}

export function writePictureLossIndication(sender: number, ssrc: number): Buffer {
  const packet = start(payloadFeedback, pictureLossIndication, sender, 4)
  packet.writeUInt32BE(ssrc, 8)
  return packet
}

/** Write a generic NACK (RFC 4585, 6.2.1). The sequence numbers must be in order. */
export function writeNack(sender: number, ssrc: number, sequenceNumbers: readonly number[]): Buffer {
  const entries: { base: number; following: number }[] = []
  for (const sequenceNumber of sequenceNumbers) {
    const last = entries.at(-1)
    const distance = last === undefined ? 0 : (sequenceNumber - last.base) & 0xffff
    if (last !== undefined && distance >= 1 && distance <= 16) last.following |= 1 << (distance - 1)
    else entries.push({ base: sequenceNumber, following: 0 })
  }
  const packet = start(transportFeedback, genericNack, sender, 4 + entries.length * 4)
  packet.writeUInt32BE(ssrc, 8)
  for (const [at, { base, following }] of entries.entries()) {
    packet.writeUInt16BE(base, 12 + at * 4)
    packet.writeUInt16BE(following, 14 + at * 4)
  }
  return packet
}

export type ReportBlock = {
  ssrc: number
  fractionLost: number
  cumulativeLost: number
  highestSequence: number
  jitter: number
  lastReport: number
  delaySinceLastReport: number
}

/** Write a receiver report with at most 31 report blocks (RFC 3550, 6.4.2). */
export function writeReceiverReport(sender: number, reportBlocks: readonly ReportBlock[]): Buffer {
  const packet = start(receiverReport, reportBlocks.length, sender, reportBlocks.length * 24)
  for (const [at, reportBlock] of reportBlocks.entries()) {
    const offset = 8 + at * 24
    packet.writeUInt32BE(reportBlock.ssrc, offset)
    packet.writeUInt8(reportBlock.fractionLost, offset + 4)
    packet.writeUIntBE(Math.max(0, Math.min(reportBlock.cumulativeLost, 0x7fffff)), offset + 5, 3)
    packet.writeUInt32BE(reportBlock.highestSequence >>> 0, offset + 8)
    packet.writeUInt32BE(reportBlock.jitter >>> 0, offset + 12)
    packet.writeUInt32BE(reportBlock.lastReport >>> 0, offset + 16)
    packet.writeUInt32BE(reportBlock.delaySinceLastReport >>> 0, offset + 20)
  }
  return packet
}

/** Write a sender report with the source description that a compound packet must have (RFC 3550, 6.1). */
export function writeSenderReport(report: SenderReport, packets: number, octets: number, cname: string): Buffer {
  const packet = start(senderReport, 0, report.ssrc, 20)
  packet.writeUInt32BE(report.ntpSeconds, 8)
  packet.writeUInt32BE(report.ntpFraction, 12)
  packet.writeUInt32BE(report.rtpTimestamp >>> 0, 16)
  packet.writeUInt32BE(packets >>> 0, 20)
  packet.writeUInt32BE(octets >>> 0, 24)
  const name = Buffer.from(cname)
  const item = 2 + name.length
  const description = start(sourceDescription, 1, report.ssrc, item + (4 - (item % 4)))
  description.writeUInt8(1, 8)
  description.writeUInt8(name.length, 9)
  name.copy(description, 10)
  return Buffer.concat([packet, description])
}
