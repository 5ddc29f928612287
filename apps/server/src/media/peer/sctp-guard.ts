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

/** A browser's smallest messages fill a datagram with this many chunks. */
const maxChunks = 64
/** livekit-client has three channels, other clients at most eight; ids are reused. */
const maxDataStreams = 64
/** How far ahead of a gap a client may send: 300 KB. werift sorts all of it for each chunk. */
const maxTsnAhead = 256
/** Per stream: the fragments of the largest message, and chunks behind a gap. */
const maxReassembled = 512

/** The state of werift's association that limits what a peer may send. */
export type SctpState = {
  isEstablished: boolean
  /** The last TSN that was received without a gap before it. */
  lastReceivedTsn: number | undefined
  /** The TSN of our next chunk. */
  localTsn: number
  /** How many chunks of a stream wait for others. */
  waitingOf(streamId: number): number
}

/** The cost of an SCTP packet. */
export type SctpCost = { chunks: number; messages: number }

/**
 * The cost of a packet; undefined for one that werift must not process. werift trusts lengths (a length of zero is an
 * endless loop) and acknowledgements of unsent chunks (it visits each TSN in their gaps), and stores all chunks ahead
 * of a gap.
 */
export function measureSctp(packet: Buffer, state: SctpState): SctpCost | undefined {
  let chunks = 0
  let messages = 0
  let at = packetHeaderLength
  while (at + chunkHeaderLength <= packet.length) {
    const length = packet.readUInt16BE(at + 2)
    if (length < chunkHeaderLength || at + length > packet.length || chunks === maxChunks) return undefined
    const chunk = packet.subarray(at, at + length)
    if (!isChunkValid(chunk, state)) return undefined
    if (chunk[0] === initChunk && (at !== packetHeaderLength || at + padded(length) < packet.length)) return undefined
    if (chunk[0] === dataChunk && (chunk.readUInt8(1) & lastFragment) !== 0) messages += 1
    chunks += 1
    at += padded(length)
  }
  return chunks === 0 ? undefined : { chunks, messages }
}

function isChunkValid(chunk: Buffer, state: SctpState): boolean {
  switch (chunk[0]) {
    case dataChunk:
      return isDataValid(chunk, state)
    case initChunk:
      // A restart would drop received data; browsers create a new transport instead.
      return !state.isEstablished && chunk.length >= 20 && areParametersValid(chunk, 20)
    case sackChunk:
      return isSackValid(chunk, state)
    case forwardTsn:
      return isForwardTsnValid(chunk, state)
    case heartbeatChunk:
    case heartbeatAck:
    case abortChunk:
    case errorChunk:
    case reConfig:
      return areParametersValid(chunk, chunkHeaderLength)
    case shutdownChunk:
    case shutdownAck:
    case cookieEcho:
    case shutdownComplete:
      return true
    default:
      return false
  }
}

function isDataValid(chunk: Buffer, { lastReceivedTsn, waitingOf }: SctpState): boolean {
  if (chunk.length <= dataHeaderLength || lastReceivedTsn === undefined) return false
  const streamId = chunk.readUInt16BE(8)
  const protocol = chunk.readUInt32BE(12)
  if (streamId >= maxDataStreams || !payloadProtocols.includes(protocol)) return false
  // The engine opens no channels, so that there is nothing to acknowledge.
  if (protocol === dcep && chunk[dataHeaderLength] === dataChannelAck) return false
  const ahead = (chunk.readUInt32BE(4) - lastReceivedTsn) >>> 0
  const isRepeated = ahead === 0 || ahead >= 2 ** 31
  return isRepeated || (ahead <= maxTsnAhead && waitingOf(streamId) < maxReassembled)
}

/** Gap blocks must be in order and within the chunks that were sent (RFC 9260, 3.3.4). */
function isSackValid(chunk: Buffer, { localTsn }: SctpState): boolean {
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

function isForwardTsnValid(chunk: Buffer, { lastReceivedTsn }: SctpState): boolean {
  if (chunk.length < 8 || (chunk.length - 8) % 4 !== 0 || lastReceivedTsn === undefined) return false
  for (let at = 8; at < chunk.length; at += 4) if (chunk.readUInt16BE(at) >= maxDataStreams) return false
  return true
}

function areParametersValid(chunk: Buffer, start: number): boolean {
  let at = start
  while (at + 4 <= chunk.length) {
    const length = chunk.readUInt16BE(at + 2)
    if (length < 4 || at + length > chunk.length) return false
    at += padded(length)
  }
  return true
}

const padded = (length: number) => length + ((4 - (length % 4)) % 4)
