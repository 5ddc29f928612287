import { extendSequenceNumber } from './packet-index.ts'

/** The wire format of draft-holmer-rmcat-transport-wide-cc-extensions-01, 3.1. */
const transportFeedback = 205
const transportWide = 15
const ticksPerMs = 4
const referenceUnitMs = 64
const smallDeltaLimit = 255
const symbolsPerChunk = 7
const notReceived = 0
const smallDelta = 1
const largeDelta = 2
/** The number of packets that one report covers; a larger gap is a restarted client, or one that wastes our time. */
const maxCovered = 2000

/** What a client reports of packets that were sent to it: when each one arrived, undefined for a lost one. */
export type ArrivalReport = {
  /** The transport sequence number of the first packet. */
  base: number
  /** In milliseconds of the client's clock. */
  arrivals: readonly (number | undefined)[]
}

/** Read a report; undefined if it is truncated or covers too much. */
export function readTransportFeedback(packet: Buffer): ArrivalReport | undefined {
  if (packet.length < 20) return undefined
  const base = packet.readUInt16BE(12)
  const count = packet.readUInt16BE(14)
  if (count > maxCovered) return undefined
  const symbols: number[] = []
  let at = 20
  while (symbols.length < count) {
    if (at + 2 > packet.length) return undefined
    readChunk(packet.readUInt16BE(at), symbols, count)
    at += 2
  }
  const arrivals: (number | undefined)[] = []
  let ticks = packet.readIntBE(16, 3) * referenceUnitMs * ticksPerMs
  for (const symbol of symbols) {
    const length = symbol === smallDelta ? 1 : symbol === largeDelta ? 2 : 0
    if (at + length > packet.length) return undefined
    if (length > 0) ticks += length === 1 ? packet.readUInt8(at) : packet.readInt16BE(at)
    at += length
    arrivals.push(length === 0 ? undefined : ticks / ticksPerMs)
  }
  return { base, arrivals }
}

/** The statuses of a chunk: a run of one, or a vector of 14 or 7 (3.1.3, 3.1.4). */
function readChunk(chunk: number, symbols: number[], count: number): void {
  if ((chunk & 0x8000) === 0) {
    const length = Math.min(chunk & 0x1fff, count - symbols.length)
    for (let run = 0; run < length; run++) symbols.push((chunk >> 13) & 3)
    // A run of nothing would never end.
    if (length === 0) symbols.push(notReceived)
    return
  }
  const bits = (chunk & 0x4000) === 0 ? 1 : 2
  for (let shift = 14 - bits; shift >= 0 && symbols.length < count; shift -= bits) {
    symbols.push((chunk >> shift) & (bits === 1 ? 1 : 3))
  }
}

/** The arrival times of one client's packets, from which the client estimates its bandwidth. */
export class TransportFeedback {
  #arrivals = new Map<number, number>()
  #highest = -1
  /** The first packet of the next report. */
  #next: number | undefined
  #reports = 0

  recordArrival(sequenceNumber: number, nowMs: number): void {
    const index = this.#highest === -1 ? sequenceNumber : extendSequenceNumber(this.#highest, sequenceNumber)
    // A packet that was reported as lost stays lost.
    if (this.#next !== undefined && index < this.#next) return
    this.#arrivals.set(index, nowMs)
    this.#highest = Math.max(this.#highest, index)
  }

  /** The report on packets since the last one; undefined if there are none. */
  take(sender: number, mediaSsrc: number): Buffer | undefined {
    const indexes = [...this.#arrivals.keys()].toSorted((a, b) => a - b)
    const [first] = indexes
    const last = indexes.at(-1)
    if (first === undefined || last === undefined) return undefined
    const continued = this.#next ?? first
    const base = last - continued < maxCovered ? continued : Math.max(first, last - maxCovered + 1)
    const arrivals = this.#arrivals
    this.#arrivals = new Map()
    this.#next = last + 1
    this.#reports += 1
    const firstMs = arrivals.get(indexes.find((index) => index >= base) ?? last) ?? 0
    const reference = Math.floor(firstMs / referenceUnitMs)
    const { symbols, deltas } = statusesOf(arrivals, base, last, reference * referenceUnitMs)
    const head = Buffer.alloc(20)
    head.writeUInt8(0x80 | transportWide, 0)
    head.writeUInt8(transportFeedback, 1)
    head.writeUInt32BE(sender, 4)
    head.writeUInt32BE(mediaSsrc, 8)
    head.writeUInt16BE(base & 0xffff, 12)
    head.writeUInt16BE(last - base + 1, 14)
    head.writeUIntBE(reference & 0xffffff, 16, 3)
    head.writeUInt8((this.#reports - 1) & 0xff, 19)
    const packet = Buffer.concat([head, chunksOf(symbols), deltas])
    const padded = Buffer.concat([packet, Buffer.alloc((4 - (packet.length % 4)) % 4)])
    padded.writeUInt16BE(padded.length / 4 - 1, 2)
    return padded
  }
}

function statusesOf(arrivals: ReadonlyMap<number, number>, base: number, last: number, referenceMs: number) {
  const symbols: number[] = []
  const deltas: Buffer[] = []
  let beforeMs = referenceMs
  for (let index = base; index <= last; index++) {
    const atMs = arrivals.get(index)
    if (atMs === undefined) {
      symbols.push(notReceived)
      continue
    }
    const ticks = (atMs - beforeMs) * ticksPerMs
    beforeMs = atMs
    const isSmall = ticks >= 0 && ticks <= smallDeltaLimit
    symbols.push(isSmall ? smallDelta : largeDelta)
    const delta = Buffer.alloc(isSmall ? 1 : 2)
    if (isSmall) delta.writeUInt8(ticks)
    else delta.writeInt16BE(Math.max(-0x8000, Math.min(0x7fff, ticks)))
    deltas.push(delta)
  }
  return { symbols, deltas: Buffer.concat(deltas) }
}

/** Seven statuses of two bits each (3.1.4). */
function chunksOf(symbols: readonly number[]): Buffer {
  const chunks = Buffer.alloc(Math.ceil(symbols.length / symbolsPerChunk) * 2)
  for (let start = 0; start < symbols.length; start += symbolsPerChunk) {
    const seven = symbols.slice(start, start + symbolsPerChunk)
    const bits = seven.reduce((sum, symbol, index) => sum | (symbol << (12 - 2 * index)), 0)
    chunks.writeUInt16BE(0xc000 | bits, (start / symbolsPerChunk) * 2)
  }
  return chunks
}
