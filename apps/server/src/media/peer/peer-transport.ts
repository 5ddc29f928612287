import { messageOf } from '../../platform/errors.ts'
import type { Random } from '../../platform/random.ts'
import { isRtcp } from '../rtp/rtp-packet.ts'
import { DataChannels } from './data-channels.ts'
import { createDtls, type DtlsLink, handshake, isDtls } from './dtls.ts'
import { areRecordsValid, isHandshakeRecord } from './dtls-guard.ts'
import { IceLite } from './ice-lite.ts'
import { PeerBudget } from './peer-budget.ts'
import type { Fingerprint } from './sdp-offer.ts'
import type { SrtpSession } from './srtp-session.ts'
import type { MuxMember, RemoteAddress, UdpMux } from './udp-mux.ts'

type TransportEvents = {
  /** Once: the handshake is done, media and data can flow. */
  onConnected(): void
  /** Once: the transport failed, or the peer ended it. Not after `close`. */
  onEnded(reason: string): void
  /** A decrypted RTP packet. */
  onRtp(packet: Buffer): void
  /** A decrypted compound RTCP packet. */
  onRtcp(packet: Buffer): void
  onData(label: string, message: Buffer): void
  /** Once: the peer has kept sending far beyond its budget. */
  onAbuse(): void
}

/** Handshake datagrams after the handshake: a client repeats its last flight a few times. */
const maxLateHandshakes = 50

export type TransportDependencies = { mux: UdpMux; random: Random; nowMs: () => number }

/** The transport of one client over the engine's UDP port: ICE, then DTLS, SRTP and data channels. */
export class PeerTransport implements MuxMember {
  readonly ice: IceLite
  readonly #mux: UdpMux
  readonly #events: TransportEvents
  readonly #nowMs: () => number
  readonly #budget: PeerBudget
  #isAbusive = false
  #lateHandshakes = 0
  #fingerprints: readonly Fingerprint[] | undefined
  #link: DtlsLink | undefined
  #data: DataChannels | undefined
  #srtp: SrtpSession | undefined
  #closed = false

  constructor({ mux, random, nowMs }: TransportDependencies, events: TransportEvents) {
    this.#mux = mux
    this.#nowMs = nowMs
    this.#budget = new PeerBudget(nowMs())
    this.#events = events
    this.ice = new IceLite(random, {
      addFragment: (key) => mux.addFragment(key, this),
      removeFragment: (key) => mux.removeFragment(key),
      claim: (address, nowMs) => mux.claim(address, this, nowMs),
      release: (address) => mux.release(address, this),
      send: (packet, to) => mux.send(packet, to),
    })
  }

  get port(): number {
    return this.#mux.port
  }

  get connected(): boolean {
    return this.#srtp !== undefined && !this.#closed
  }

  /** Accept the client's handshake with a certificate of one of these fingerprints. Later calls change nothing. */
  start(fingerprints: readonly Fingerprint[]): void {
    this.#fingerprints ??= fingerprints
    this.#establish()
  }

  receiveCheck(packet: Buffer, from: RemoteAddress, nowMs: number): void {
    if (this.#closed) return
    const { checks, unprovedChecks } = this.#budget
    const bucket = this.ice.isProved(from) ? checks : unprovedChecks
    if (!bucket.take(1, nowMs)) return
    this.ice.receive(packet, from, nowMs)
    this.#establish()
  }

  receive(packet: Buffer, nowMs: number): void {
    if (this.#closed) return
    if (isDtls(packet)) {
      if (this.#takesRecords(packet, nowMs)) this.#link?.receive(packet)
      else this.#drop(nowMs)
    } else if (this.#budget.media.take(1, nowMs)) this.#receiveMedia(packet)
    else this.#drop(nowMs)
  }

  /** Charge additional messages, such as for one that is forwarded to many recipients. */
  chargeMessages(count: number): void {
    this.#budget.messages.charge(count, this.#nowMs())
  }

  isUsing(address: RemoteAddress, nowMs: number): boolean {
    return this.ice.isUsing(address, nowMs)
  }

  removeAddress(address: RemoteAddress): void {
    this.ice.removeAddress(address)
  }

  /** Send on the data channel of this label. Drops a message that cannot be sent now. */
  sendData(label: string, message: Buffer): void {
    this.#data?.send(label, message)
  }

  sendRtp(header: Buffer, payload: Buffer): void {
    if (this.#srtp !== undefined) this.#send(this.#srtp.protect(header, payload))
  }

  sendRtcp(packet: Buffer): void {
    if (this.#srtp !== undefined) this.#send(this.#srtp.protectControl(packet))
  }

  /** Remove the state of a stream that is no longer sent. */
  removeStream(ssrc: number): void {
    this.#srtp?.removeStream(ssrc)
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.ice.close()
    this.#data?.close()
    if (this.#link === undefined) return
    const { dtls } = this.#link
    dtls.onStateChange.allUnsubscribe()
    // Stop werift from repeating its handshake flight, which no peer answers any more.
    const handshake = dtls.dtls
    if (handshake !== undefined) handshake.dtls.flight = Number.POSITIVE_INFINITY
    dtls.stop().catch(() => {})
  }

  /** Start DTLS once an address is proved: a join without any check then costs neither DTLS nor SCTP. */
  #establish(): void {
    if (this.#link !== undefined || this.#closed) return
    if (this.#fingerprints === undefined || this.ice.selected === undefined) return
    const link = createDtls((packet) => {
      // Each datagram that is sent may be acknowledged by one.
      this.#budget.data.credit(1)
      this.#send(packet)
    })
    const data = new DataChannels(link.dtls, {
      onData: this.#events.onData,
      onPacket: ({ chunks, messages }) => {
        const nowMs = this.#nowMs()
        // The datagram itself was counted as one.
        this.#budget.data.charge(chunks - 1, nowMs)
        this.#budget.messages.charge(messages, nowMs)
      },
    })
    this.#link = link
    this.#data = data
    link.dtls.onStateChange.subscribe((state) => {
      if (state === 'closed' || state === 'failed') this.#end(`DTLS ${state}`)
    })
    handshake(link.dtls, this.#fingerprints)
      .then((srtp) => {
        if (this.#closed) return
        this.#srtp = srtp
        data.start()
        this.#events.onConnected()
      })
      .catch((error: unknown) => this.#end(messageOf(error)))
  }

  #takesRecords(packet: Buffer, nowMs: number): boolean {
    if (!this.connected) return this.#budget.handshake.take(1, nowMs) && areRecordsValid(packet, false)
    if (!this.#budget.takeData(nowMs) || !areRecordsValid(packet, true)) return false
    // A repeated last flight, whose answer was lost. Limited, because werift would keep fragments of other messages
    // forever.
    if (!isHandshakeRecord(packet)) return true
    this.#lateHandshakes += 1
    return this.#lateHandshakes <= maxLateHandshakes
  }

  #drop(nowMs: number): void {
    if (!this.#budget.drop(nowMs) || this.#isAbusive) return
    this.#isAbusive = true
    this.#events.onAbuse()
  }

  #receiveMedia(packet: Buffer): void {
    if (this.#srtp === undefined) return
    if (isRtcp(packet)) {
      const decrypted = this.#srtp.unprotectControl(packet)
      if (decrypted !== undefined) this.#events.onRtcp(decrypted)
    } else {
      const decrypted = this.#srtp.unprotect(packet)
      if (decrypted !== undefined) this.#events.onRtp(decrypted)
    }
  }

  #send(packet: Buffer): void {
    const to = this.ice.selected
    if (to !== undefined && !this.#closed) this.#mux.send(packet, to)
  }

  #end(reason: string): void {
    if (this.#closed) return
    this.close()
    this.#events.onEnded(reason)
  }
}
