import { extendSequenceNumber, ReplayWindow } from '../rtp/packet-index.ts'
import { readRtpHeader } from '../rtp/rtp-packet.ts'
import { createProtection, type Protection } from './srtp.ts'
import type { MasterKey, SrtpProfile } from './srtp-keys.ts'

/** Simulcast with retransmissions takes six per track; no real client has more. */
const maxIncomingSsrcs = 64
const rtcpHeaderLength = 8
const encryptedFlag = 0x8000_0000
const maxRtcpIndex = 0x7fff_ffff

/** Encrypts and decrypts the packets of one transport (RFC 3711). */
export class SrtpSession {
  readonly #outgoing: Protection
  readonly #incoming: Protection
  readonly #outgoingControl: Protection
  readonly #incomingControl: Protection
  readonly #highestSent = new Map<number, number>()
  readonly #received = new Map<number, ReplayWindow>()
  readonly #receivedControl = new Map<number, ReplayWindow>()
  #controlIndex = 0

  constructor(profile: SrtpProfile, local: MasterKey, remote: MasterKey) {
    this.#outgoing = createProtection(profile, local, 'rtp')
    this.#incoming = createProtection(profile, remote, 'rtp')
    this.#outgoingControl = createProtection(profile, local, 'rtcp')
    this.#incomingControl = createProtection(profile, remote, 'rtcp')
  }

  protect(header: Buffer, payload: Buffer): Buffer {
    const ssrc = header.readUInt32BE(8)
    const sequenceNumber = header.readUInt16BE(2)
    const highest = this.#highestSent.get(ssrc)
    const index = highest === undefined ? sequenceNumber : extendSequenceNumber(highest, sequenceNumber)
    if (highest === undefined || index > highest) this.#highestSent.set(ssrc, index)
    const { body, tag } = this.#outgoing.encrypt(header, payload, rollOverCounter(index), ssrc, index)
    return Buffer.concat([header, body, tag])
  }

  /** Remove the state of a stream that is no longer sent. */
  removeStream(ssrc: number): void {
    this.#highestSent.delete(ssrc)
  }

  /** The decrypted packet; undefined for a packet that is forged, replayed or not RTP. */
  unprotect(packet: Buffer): Buffer | undefined {
    const header = readRtpHeader(packet)
    const bodyEnd = packet.length - this.#incoming.tagLength
    if (header === undefined || bodyEnd < header.length) return undefined
    const window = this.#received.get(header.ssrc) ?? new ReplayWindow()
    const index = window.indexOf(header.sequenceNumber)
    if (index === undefined) return undefined
    const head = packet.subarray(0, header.length)
    const body = packet.subarray(header.length, bodyEnd)
    const tag = packet.subarray(bodyEnd)
    const decrypted = this.#incoming.decrypt(head, body, tag, rollOverCounter(index), header.ssrc, index)
    if (decrypted === undefined) return undefined
    storeWindow(this.#received, header.ssrc, window)
    window.accept(index)
    return Buffer.concat([head, decrypted])
  }

  protectControl(packet: Buffer): Buffer {
    this.#controlIndex = (this.#controlIndex + 1) % maxRtcpIndex
    const head = packet.subarray(0, rtcpHeaderLength)
    const word = Buffer.alloc(4)
    word.writeUInt32BE((encryptedFlag | this.#controlIndex) >>> 0)
    const ssrc = packet.readUInt32BE(4)
    const rest = packet.subarray(rtcpHeaderLength)
    const { body, tag } = this.#outgoingControl.encrypt(head, rest, word, ssrc, this.#controlIndex)
    // With AES-GCM the tag precedes the index (RFC 7714, 9.1), with HMAC it follows (RFC 3711, 3.4).
    return Buffer.concat(tag.length === 16 ? [head, body, tag, word] : [head, body, word, tag])
  }

  unprotectControl(packet: Buffer): Buffer | undefined {
    const { tagLength } = this.#incomingControl
    const bodyEnd = packet.length - tagLength - 4
    if (bodyEnd < rtcpHeaderLength) return undefined
    const wordStart = tagLength === 16 ? packet.length - 4 : bodyEnd
    const tagStart = tagLength === 16 ? bodyEnd : bodyEnd + 4
    const word = packet.subarray(wordStart, wordStart + 4)
    if ((word.readUInt32BE() & encryptedFlag) === 0) return undefined
    const index = word.readUInt32BE() & maxRtcpIndex
    const ssrc = packet.readUInt32BE(4)
    const window = this.#receivedControl.get(ssrc) ?? new ReplayWindow()
    if (!window.isFresh(index)) return undefined
    const head = packet.subarray(0, rtcpHeaderLength)
    const body = packet.subarray(rtcpHeaderLength, bodyEnd)
    const tag = packet.subarray(tagStart, tagStart + tagLength)
    const decrypted = this.#incomingControl.decrypt(head, body, tag, word, ssrc, index)
    if (decrypted === undefined) return undefined
    storeWindow(this.#receivedControl, ssrc, window)
    window.accept(index)
    return Buffer.concat([head, decrypted])
  }
}

function storeWindow(windows: Map<number, ReplayWindow>, ssrc: number, window: ReplayWindow): void {
  if (windows.has(ssrc)) return
  if (windows.size >= maxIncomingSsrcs) {
    // The oldest stream is the most likely to have ended.
    const [oldest] = windows.keys()
    if (oldest !== undefined) windows.delete(oldest)
  }
  windows.set(ssrc, window)
}

function rollOverCounter(index: number): Buffer {
  const counter = Buffer.alloc(4)
  counter.writeUInt32BE(Math.floor(index / 0x10000))
  return counter
}
