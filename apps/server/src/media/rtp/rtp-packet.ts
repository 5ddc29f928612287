/** The header of an RTP packet (RFC 3550, 5.1), with the offsets of its extensions and payload. */
export type RtpHeader = {
  marker: boolean
  payloadType: number
  sequenceNumber: number
  timestamp: number
  ssrc: number
  /** 0xBEDE for one-byte extensions, 0x1000 for two-byte ones (RFC 8285), 0 without any. */
  extensionProfile: number
  extensionStart: number
  extensionEnd: number
  /** The length of the header, which is the offset of the payload. */
  length: number
}

const fixedLength = 12
const oneByteProfile = 0xbede
/** The lower four bits of a two-byte profile belong to the application. */
const twoByteProfile = 0x1000

/**
 * Read the header; undefined if the packet is not RTP version 2 or is truncated. Padding is encrypted, and read later.
 */
export function readRtpHeader(packet: Buffer): RtpHeader | undefined {
  if (packet.length < fixedLength || packet.readUInt8(0) >> 6 !== 2) return undefined
  const first = packet.readUInt8(0)
  const second = packet.readUInt8(1)
  let length = fixedLength + (first & 0x0f) * 4
  let extensionProfile = 0
  let extensionStart = length
  let extensionEnd = length
  if ((first & 0x10) !== 0) {
    if (packet.length < length + 4) return undefined
    extensionProfile = packet.readUInt16BE(length)
    extensionStart = length + 4
    extensionEnd = extensionStart + packet.readUInt16BE(length + 2) * 4
    length = extensionEnd
  }
  if (packet.length < length) return undefined
  return {
    marker: (second & 0x80) !== 0,
    payloadType: second & 0x7f,
    sequenceNumber: packet.readUInt16BE(2),
    timestamp: packet.readUInt32BE(4),
    ssrc: packet.readUInt32BE(8),
    extensionProfile,
    extensionStart,
    extensionEnd,
    length,
  }
}

/** The payload of a decrypted packet without its padding; undefined if the padding length exceeds the payload. */
export function readPayload(packet: Buffer, header: RtpHeader): Buffer | undefined {
  const padding = (packet.readUInt8(0) & 0x20) === 0 ? 0 : packet.readUInt8(packet.length - 1)
  if (header.length + padding > packet.length) return undefined
  return packet.subarray(header.length, packet.length - padding)
}

/** The value of the header extension that was negotiated as `id`. */
export function readExtension(packet: Buffer, header: RtpHeader, id: number | undefined): Buffer | undefined {
  if (id === undefined) return undefined
  const twoBytes = (header.extensionProfile & 0xfff0) === twoByteProfile
  if (!twoBytes && header.extensionProfile !== oneByteProfile) return undefined
  let at = header.extensionStart
  while (at < header.extensionEnd) {
    const first = packet.readUInt8(at)
    if (first === 0) {
      at += 1
      continue
    }
    if (!twoBytes && first >> 4 === 15) return undefined
    if (twoBytes && at + 1 >= header.extensionEnd) return undefined
    const found = twoBytes ? first : first >> 4
    const length = twoBytes ? packet.readUInt8(at + 1) : (first & 0x0f) + 1
    const start = at + (twoBytes ? 2 : 1)
    if (start + length > header.extensionEnd) return undefined
    if (found === id) return packet.subarray(start, start + length)
    at = start + length
  }
  return undefined
}

type OutgoingExtension = { id: number; value: Buffer }

type OutgoingPacket = {
  marker: boolean
  payloadType: number
  sequenceNumber: number
  timestamp: number
  ssrc: number
  extensions: readonly OutgoingExtension[]
  /** The payload ends with padding (RFC 3550, 5.1). */
  isPadded?: boolean
}

/** Write a header, with one-byte extensions if all fit, else with two-byte ones (RFC 8285, 4.2 and 4.3). */
export function writeRtpHeader(packet: OutgoingPacket): Buffer {
  const { extensions } = packet
  const twoBytes = extensions.some(({ id, value }) => id > 14 || value.length > 16 || value.length === 0)
  const perExtension = twoBytes ? 2 : 1
  const used = extensions.reduce((sum, { value }) => sum + perExtension + value.length, 0)
  const words = Math.ceil(used / 4)
  const header = Buffer.alloc(fixedLength + (extensions.length === 0 ? 0 : 4 + words * 4))
  header.writeUInt8((extensions.length === 0 ? 0x80 : 0x90) | (packet.isPadded ? 0x20 : 0), 0)
  header.writeUInt8((packet.marker ? 0x80 : 0) | packet.payloadType, 1)
  header.writeUInt16BE(packet.sequenceNumber, 2)
  header.writeUInt32BE(packet.timestamp, 4)
  header.writeUInt32BE(packet.ssrc, 8)
  if (extensions.length === 0) return header
  header.writeUInt16BE(twoBytes ? twoByteProfile : oneByteProfile, fixedLength)
  header.writeUInt16BE(words, fixedLength + 2)
  let at = fixedLength + 4
  for (const { id, value } of extensions) {
    if (twoBytes) {
      header.writeUInt8(id, at)
      header.writeUInt8(value.length, at + 1)
    } else {
      header.writeUInt8((id << 4) | (value.length - 1), at)
    }
    value.copy(header, at + perExtension)
    at += perExtension + value.length
  }
  return header
}

/** Distinguish RTCP from RTP on one port (RFC 5761, 4). */
export const isRtcp = (packet: Buffer) => packet.length >= 8 && packet.readUInt8(1) >= 192 && packet.readUInt8(1) <= 223

/** The header extension abs-send-time: seconds as a 6.18 fixed-point number, for the receiver's bandwidth estimate. */
export function absoluteSendTime(nowMs: number): Buffer {
  const value = Buffer.alloc(3)
  value.writeUIntBE(Math.floor((nowMs % 64_000) * 262.144) & 0xffffff, 0, 3)
  return value
}
