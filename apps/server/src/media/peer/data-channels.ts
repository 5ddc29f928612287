import { type RTCDataChannel, type RTCDtlsTransport, RTCSctpTransport } from 'werift'
import { measureSctp, type SctpCost, type SctpState } from './sctp-guard.ts'

const sctpPort = 5000
/** The SDP attribute `max-message-size`: clients send no larger messages. LiveKit's own clients split at 15 KiB. */
export const maxMessageLength = 65_535
/** livekit-client opens three. */
const maxChannels = 8
/** How many octets a slow client may fall behind; lossy messages are dropped from a tenth of it on. */
const maxBuffered = 4 * 1024 * 1024
const maxBufferedLossy = maxBuffered / 10
/** Small messages cost more than their octets. */
const maxBufferedMessages = 4000

type Waiting = { channel: RTCDataChannel; message: Buffer }

/** Private fields of werift's association (werift 0.25.2) that the guard needs. */
type Association = {
  state: string
  lastReceivedTsn: number | undefined
  localTsn: number
  inboundStreams: Record<number, { reassembly: readonly unknown[] } | undefined>
  handleData(packet: Buffer): Promise<void>
}

/** The data channels that one client has opened, by label. Messages to the client use the same channels. */
export class DataChannels {
  readonly #sctp = new RTCSctpTransport(sctpPort, maxMessageLength)
  readonly #channels = new Map<string, RTCDataChannel>()
  /** Messages that werift does not have yet. */
  readonly #waiting: Waiting[] = []
  readonly #waitingOctets = new Map<RTCDataChannel, number>()
  #isHandingSoon = false
  #closed = false

  constructor(
    dtls: RTCDtlsTransport,
    events: {
      onData(label: string, message: Buffer): void
      /** Before werift reads a packet. */
      onPacket(cost: SctpCost): void
    },
  ) {
    this.#sctp.setDtlsTransport(dtls)
    this.#sctp.setRemotePort(sctpPort)
    const association = this.#sctp.sctp as unknown as Association
    const state: SctpState = {
      get isEstablished() {
        return association.state === 'connected'
      },
      get lastReceivedTsn() {
        return association.lastReceivedTsn
      },
      get localTsn() {
        return association.localTsn
      },
      waitingOf: (streamId) => association.inboundStreams[streamId]?.reassembly.length ?? 0,
    }
    dtls.dataReceiver = (packet: Buffer) => {
      const cost = measureSctp(packet, state)
      if (cost === undefined) return
      events.onPacket(cost)
      // Drop packets that werift cannot read.
      association.handleData(packet).catch(() => {})
    }
    this.#sctp.sctp.flush.subscribe(() => this.#handSoon())
    this.#sctp.onDataChannel.subscribe((channel) => {
      if (this.#channels.size >= maxChannels) {
        channel.close()
        return
      }
      const { label } = channel
      this.#channels.set(label, channel)
      channel.onMessage.subscribe((message) =>
        events.onData(label, typeof message === 'string' ? Buffer.from(message) : message),
      )
      channel.stateChanged.subscribe((state) => {
        if (state === 'closed' && this.#channels.get(label) === channel) this.#channels.delete(label)
      })
    })
  }

  /** Call once the DTLS handshake is done. */
  start(): void {
    this.#sctp.start(sctpPort).catch(() => {})
  }

  /** Send a message. Drops it and returns false if the channel is not open or the client has fallen too far behind. */
  send(label: string, message: Buffer): boolean {
    const channel = this.#channels.get(label)
    if (channel?.readyState !== 'open' || message.length > maxMessageLength) return false
    const limit = channel.maxRetransmits === null ? maxBuffered : maxBufferedLossy
    const waiting = this.#waitingOctets.get(channel) ?? 0
    if (channel.bufferedAmount + waiting + message.length > limit) return false
    if (this.#waiting.length >= maxBufferedMessages) return false
    this.#waiting.push({ channel, message })
    this.#waitingOctets.set(channel, waiting + message.length)
    this.#hand()
    return true
  }

  close(): void {
    this.#closed = true
    this.#channels.clear()
    this.#waiting.length = 0
    this.#waitingOctets.clear()
    this.#sctp.stop().catch(() => {})
  }

  /**
   * Hand messages over after werift's flush. A message added during it would make all waiting senders wait again;
   * thousands woken at each flush stall the process.
   */
  #handSoon(): void {
    if (this.#isHandingSoon || this.#waiting.length === 0) return
    this.#isHandingSoon = true
    setImmediate(() => {
      this.#isHandingSoon = false
      this.#hand()
    })
  }

  /** Pass on the messages that werift can send now. */
  #hand(): void {
    while (!this.#closed && this.#waiting.length > 0 && this.#sctp.sctp.outboundQueue.length === 0) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      const { channel, message } = next
      this.#waitingOctets.set(channel, (this.#waitingOctets.get(channel) ?? 0) - message.length)
      if (channel.readyState === 'open') channel.send(message)
    }
  }
}
