/** Chunks of SCTP (RFC 9260, 3.2; RFC 6525, 3.1; RFC 3758, 3.2), as far as data channels use them. */
const dataChunk = 0
const initChunk = 1
const sackChunk = 3
const heartbeatChunk = 4
const heartbeatAck = 5
const abortChunk = 6
const shutdownChunk = 7
const shutdownAck = 8
const errorChunk = 9
const cookieEcho = 10
const shutdownComplete = 14
const reConfig = 130
const forwardTsn = 192

const packetHeaderLength = 12
const chunkHeaderLength = 4
const dataHeaderLength = 16
const lastFragment = 0x01
/** RFC 8831, 8: DCEP, text, binary, empty text, empty binary. */
const payloadProtocols = [50, 51, 53, 56, 57]
const dcep = 50
const dataChannelAck = 2

/** As many fit into a datagram that a browser makes of its smallest messages. */
const maxChunks = 64
/** livekit-client has three channels, and a client of ours eight at most; ids are used again. */
const maxStreams = 64
/** How far ahead of a gap a client may send: 300 KB. werift sorts all of it with each chunk. */
const maxTsnAhead = 256
/** Of one stream: the fragments of the largest message, and what waits behind a gap. */
const maxReassembled = 512

/** What werift's association knows, as far as it bounds what a peer may send. */
export type SctpState = {
  isEstablished: boolean
  /** The last number that was received without a gap before it. */
  lastReceivedTsn: number | undefined
  /** The number that our next chunk gets. */
  localTsn: number
  /** How many chunks of a stream wait for others. */
  waitingOf(streamId: number): number
}

/** What an SCTP packet costs. */
export type SctpCost = { chunks: number; messages: number }

/**
 * What a packet costs, or undefined for one that werift must not see. It trusts lengths (one of zero is an endless loop),
 * acknowledgements of what was never sent (each number in their gaps is visited), and keeps whatever comes ahead of a gap.
 */
export function weighSctp(packet: Buffer, state: SctpState): SctpCost | undefined {
  let chunks = 0
  let messages = 0
  let at = packetHeaderLength
  while (at + chunkHeaderLength <= packet.length) {
    const length = packet.readUInt16BE(at + 2)
    if (length < chunkHeaderLength || at + length > packet.length || chunks === maxChunks) return undefined
    const chunk = packet.subarray(at, at + length)
    if (!isSound(chunk, state)) return undefined
    if (chunk[0] === initChunk && (at !== packetHeaderLength || at + padded(length) < packet.length)) return undefined
    if (chunk[0] === dataChunk && (chunk.readUInt8(1) & lastFragment) !== 0) messages += 1
    chunks += 1
    at += padded(length)
  }
  return chunks === 0 ? undefined : { chunks, messages }
}

function isSound(chunk: Buffer, state: SctpState): boolean {
  switch (chunk[0]) {
    case dataChunk:
      return isDataSound(chunk, state)
    case initChunk:
      // A restart would forget what was received; a browser makes a new transport instead.
      return !state.isEstablished && chunk.length >= 20 && areParametersSound(chunk, 20)
    case sackChunk:
      return isAcknowledgementSound(chunk, state)
    case forwardTsn:
      return isForwardSound(chunk, state)
    case heartbeatChunk:
    case heartbeatAck:
    case abortChunk:
    case errorChunk:
    case reConfig:
      return areParametersSound(chunk, chunkHeaderLength)
    case shutdownChunk:
    case shutdownAck:
    case cookieEcho:
    case shutdownComplete:
      return true
    default:
      return false
  }
}

function isDataSound(chunk: Buffer, { lastReceivedTsn, waitingOf }: SctpState): boolean {
  if (chunk.length <= dataHeaderLength || lastReceivedTsn === undefined) return false
  const streamId = chunk.readUInt16BE(8)
  const protocol = chunk.readUInt32BE(12)
  if (streamId >= maxStreams || !payloadProtocols.includes(protocol)) return false
  // We open no channel, so that there is nothing to acknowledge.
  if (protocol === dcep && chunk[dataHeaderLength] === dataChannelAck) return false
  const ahead = (chunk.readUInt32BE(4) - lastReceivedTsn) >>> 0
  const isRepeated = ahead === 0 || ahead >= 2 ** 31
  return isRepeated || (ahead <= maxTsnAhead && waitingOf(streamId) < maxReassembled)
}

/** Gaps follow one another, and end with what was sent (RFC 9260, 3.3.4). */
function isAcknowledgementSound(chunk: Buffer, { localTsn }: SctpState): boolean {
  if (chunk.length < 16) return false
  const outstanding = (localTsn - 1 - chunk.readUInt32BE(4)) >>> 0
  const gaps = chunk.readUInt16BE(12)
  const duplicates = chunk.readUInt16BE(14)
  if (outstanding >= 2 ** 31 || chunk.length < 16 + 4 * (gaps + duplicates)) return false
  let before = 0
  for (let at = 16; at < 16 + 4 * gaps; at += 4) {
    const [start, end] = [chunk.readUInt16BE(at), chunk.readUInt16BE(at + 2)]
    if (start <= before || end < start || end > outstanding) return false
    before = end
  }
  return true
}

function isForwardSound(chunk: Buffer, { lastReceivedTsn }: SctpState): boolean {
  if (chunk.length < 8 || (chunk.length - 8) % 4 !== 0 || lastReceivedTsn === undefined) return false
  for (let at = 8; at < chunk.length; at += 4) if (chunk.readUInt16BE(at) >= maxStreams) return false
  return true
}

function areParametersSound(chunk: Buffer, start: number): boolean {
  let at = start
  while (at + 4 <= chunk.length) {
    const length = chunk.readUInt16BE(at + 2)
    if (length < 4 || at + length > chunk.length) return false
    at += padded(length)
  }
  return true
}

const padded = (length: number) => length + ((4 - (length % 4)) % 4)
