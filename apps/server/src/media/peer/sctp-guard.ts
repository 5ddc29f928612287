/** Chunks of SCTP (RFC 9260, 3.2; RFC 6525, 3.1; RFC 3758, 3.2), as far as data channels use them. */
const DATA = 0
const INIT = 1
const SACK = 3
const HEARTBEAT = 4
const HEARTBEAT_ACK = 5
const ABORT = 6
const SHUTDOWN = 7
const SHUTDOWN_ACK = 8
const ERROR = 9
const COOKIE_ECHO = 10
const SHUTDOWN_COMPLETE = 14
const RE_CONFIG = 130
const FORWARD_TSN = 192

const PACKET_HEADER_LENGTH = 12
const CHUNK_HEADER_LENGTH = 4
const DATA_HEADER_LENGTH = 16
const LAST_FRAGMENT = 0x01
/** RFC 8831, 8: DCEP, text, binary, empty text, empty binary. */
const PAYLOAD_PROTOCOLS = [50, 51, 53, 56, 57]
const DCEP = 50
const DATA_CHANNEL_ACK = 2

/** As many fit into a datagram that a browser makes of its smallest messages. */
const MAX_CHUNKS = 64
/** livekit-client has three channels, and a client of ours eight at most; ids are used again. */
const MAX_STREAMS = 64
/** How far ahead of a gap a client may send: 300 KB. werift sorts all of it with each chunk. */
const MAX_TSN_AHEAD = 256
/** Of one stream: the fragments of the largest message, and what waits behind a gap. */
const MAX_REASSEMBLED = 512

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
  let at = PACKET_HEADER_LENGTH
  while (at + CHUNK_HEADER_LENGTH <= packet.length) {
    const length = packet.readUInt16BE(at + 2)
    if (length < CHUNK_HEADER_LENGTH || at + length > packet.length || chunks === MAX_CHUNKS) return undefined
    const chunk = packet.subarray(at, at + length)
    if (!isSound(chunk, state)) return undefined
    if (chunk[0] === INIT && (at !== PACKET_HEADER_LENGTH || at + padded(length) < packet.length)) return undefined
    if (chunk[0] === DATA && (chunk.readUInt8(1) & LAST_FRAGMENT) !== 0) messages += 1
    chunks += 1
    at += padded(length)
  }
  return chunks === 0 ? undefined : { chunks, messages }
}

function isSound(chunk: Buffer, state: SctpState): boolean {
  switch (chunk[0]) {
    case DATA:
      return isDataSound(chunk, state)
    case INIT:
      // A restart would forget what was received; a browser makes a new transport instead.
      return !state.isEstablished && chunk.length >= 20 && areParametersSound(chunk, 20)
    case SACK:
      return isAcknowledgementSound(chunk, state)
    case FORWARD_TSN:
      return isForwardSound(chunk, state)
    case HEARTBEAT:
    case HEARTBEAT_ACK:
    case ABORT:
    case ERROR:
    case RE_CONFIG:
      return areParametersSound(chunk, CHUNK_HEADER_LENGTH)
    case SHUTDOWN:
    case SHUTDOWN_ACK:
    case COOKIE_ECHO:
    case SHUTDOWN_COMPLETE:
      return true
    default:
      return false
  }
}

function isDataSound(chunk: Buffer, { lastReceivedTsn, waitingOf }: SctpState): boolean {
  if (chunk.length <= DATA_HEADER_LENGTH || lastReceivedTsn === undefined) return false
  const streamId = chunk.readUInt16BE(8)
  const protocol = chunk.readUInt32BE(12)
  if (streamId >= MAX_STREAMS || !PAYLOAD_PROTOCOLS.includes(protocol)) return false
  // We open no channel, so that there is nothing to acknowledge.
  if (protocol === DCEP && chunk[DATA_HEADER_LENGTH] === DATA_CHANNEL_ACK) return false
  const ahead = (chunk.readUInt32BE(4) - lastReceivedTsn) >>> 0
  const isRepeated = ahead === 0 || ahead >= 2 ** 31
  return isRepeated || (ahead <= MAX_TSN_AHEAD && waitingOf(streamId) < MAX_REASSEMBLED)
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
  for (let at = 8; at < chunk.length; at += 4) if (chunk.readUInt16BE(at) >= MAX_STREAMS) return false
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
