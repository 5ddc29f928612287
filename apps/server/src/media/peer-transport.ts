import type { Socket } from 'node:dgram'
import { RTCDtlsTransport } from 'werift'
import type { Random } from '../platform/random.ts'
import { DataChannels } from './data-channels.ts'
import { createDtls, type DtlsLink, isDtls, shakeHands } from './dtls.ts'
import { IceLite, type RemoteAddress } from './ice-lite.ts'
import { withoutMapping } from './ip-address.ts'
import { isRtcp } from './rtp-packet.ts'
import type { Fingerprint } from './sdp-offer.ts'
import type { SrtpSession } from './srtp-session.ts'
import { isStun } from './stun.ts'
import type { UdpPorts } from './udp-ports.ts'

export type TransportEvents = {
  /** Once: the handshake is done, media and data can flow. */
  onConnected(): void
  /** Once: it failed, or the peer ended it. Not after `close`. */
  onEnded(reason: string): void
  /** A decrypted RTP packet. */
  onRtp(packet: Buffer): void
  /** A decrypted compound RTCP packet. */
  onRtcp(packet: Buffer): void
  onData(label: string, message: Buffer): void
}

export type TransportTools = { ports: UdpPorts; random: Random; nowMs: () => number }

/** One client's way to us: a UDP port, on which ICE, DTLS, SRTP and data channels go. */
export class PeerTransport {
  readonly ice: IceLite
  readonly data: DataChannels
  readonly port: number
  readonly fingerprint: string
  readonly #socket: Socket
  readonly #mapped: boolean
  readonly #link: DtlsLink
  readonly #events: TransportEvents
  #srtp: SrtpSession | undefined
  #started = false
  #closed = false

  static async open(tools: TransportTools, events: TransportEvents): Promise<PeerTransport> {
    await RTCDtlsTransport.SetupCertificate()
    return new PeerTransport(await tools.ports.bind(), tools, events)
  }

  private constructor(socket: Socket, { random, nowMs }: TransportTools, events: TransportEvents) {
    this.#socket = socket
    this.#events = events
    const { port, family } = socket.address()
    this.port = port
    this.#mapped = family === 'IPv6'
    this.ice = new IceLite(random, (packet, to) => this.#sendTo(packet, to))
    this.#link = createDtls((packet) => this.#send(packet))
    this.fingerprint = this.#link.dtls.localParameters.fingerprints[0]?.value ?? ''
    this.data = new DataChannels(this.#link.dtls, events.onData)
    socket.on('message', (packet, { address, port: from }) => {
      this.#receive(packet, { address: withoutMapping(address), port: from }, nowMs())
    })
    socket.on('error', (error) => this.#end(error.message))
  }

  get connected(): boolean {
    return this.#srtp !== undefined && !this.#closed
  }

  /** Waits for the client's handshake, whose certificate must be one of these. Later calls change nothing. */
  start(fingerprints: readonly Fingerprint[]): void {
    if (this.#started || this.#closed) return
    this.#started = true
    this.#link.dtls.onStateChange.subscribe((state) => {
      if (state === 'closed' || state === 'failed') this.#end(`DTLS ${state}`)
    })
    shakeHands(this.#link.dtls, fingerprints)
      .then((srtp) => {
        if (this.#closed) return
        this.#srtp = srtp
        this.data.start()
        this.#events.onConnected()
      })
      .catch((error: unknown) => this.#end(error instanceof Error ? error.message : String(error)))
  }

  sendRtp(header: Buffer, payload: Buffer): void {
    if (this.#srtp !== undefined) this.#send(this.#srtp.protect(header, payload))
  }

  sendRtcp(packet: Buffer): void {
    if (this.#srtp !== undefined) this.#send(this.#srtp.protectControl(packet))
  }

  /** Forgets a stream that is no longer sent. */
  forget(ssrc: number): void {
    this.#srtp?.forget(ssrc)
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.data.close()
    this.#link.dtls.onStateChange.allUnsubscribe()
    // Handshake flights are sent again until this is reached; nobody is there to answer.
    const handshake = this.#link.dtls.dtls
    if (handshake !== undefined) handshake.dtls.flight = Number.POSITIVE_INFINITY
    this.#link.dtls.stop().catch(() => {})
    this.#socket.close()
  }

  #receive(packet: Buffer, from: RemoteAddress, nowMs: number): void {
    try {
      if (isStun(packet)) this.ice.receive(packet, from, nowMs)
      else if (!this.ice.knows(from)) return
      else if (isDtls(packet)) this.#link.receive(packet)
      else this.#receiveMedia(packet)
    } catch {
      // What cannot be read is dropped, like any datagram that is damaged on its way.
    }
  }

  #receiveMedia(packet: Buffer): void {
    if (this.#srtp === undefined) return
    if (isRtcp(packet)) {
      const opened = this.#srtp.unprotectControl(packet)
      if (opened !== undefined) this.#events.onRtcp(opened)
    } else {
      const opened = this.#srtp.unprotect(packet)
      if (opened !== undefined) this.#events.onRtp(opened)
    }
  }

  #send(packet: Buffer): void {
    const to = this.ice.selected
    if (to !== undefined) this.#sendTo(packet, to)
  }

  #sendTo(packet: Buffer, { address, port }: RemoteAddress): void {
    if (this.#closed) return
    // A failure to send is a packet lost; whether the client is still there ICE tells.
    this.#socket.send(packet, port, this.#mapped && !address.includes(':') ? `::ffff:${address}` : address, () => {})
  }

  #end(reason: string): void {
    if (this.#closed) return
    this.close()
    this.#events.onEnded(reason)
  }
}
