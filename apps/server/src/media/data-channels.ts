import { type RTCDataChannel, type RTCDtlsTransport, RTCSctpTransport } from 'werift'

const SCTP_PORT = 5000
/** What is told to clients, who then send no larger message. LiveKit's own clients cut at 15 KiB. */
export const MAX_MESSAGE_LENGTH = 65_535
/** livekit-client opens three. */
const MAX_CHANNELS = 8
/** What a slow client may fall behind; lossy messages are dropped from a tenth of it on. */
const MAX_BUFFERED = 4 * 1024 * 1024
const MAX_BUFFERED_LOSSY = MAX_BUFFERED / 10

/** The channels that one client has opened, by label; what is for it goes back on the same ones. */
export class DataChannels {
  readonly #sctp = new RTCSctpTransport(SCTP_PORT, MAX_MESSAGE_LENGTH)
  readonly #channels = new Map<string, RTCDataChannel>()

  constructor(dtls: RTCDtlsTransport, onData: (label: string, message: Buffer) => void) {
    this.#sctp.setDtlsTransport(dtls)
    this.#sctp.setRemotePort(SCTP_PORT)
    this.#sctp.onDataChannel.subscribe((channel) => {
      if (this.#channels.size >= MAX_CHANNELS) {
        channel.close()
        return
      }
      const { label } = channel
      this.#channels.set(label, channel)
      channel.onMessage.subscribe((message) =>
        onData(label, typeof message === 'string' ? Buffer.from(message) : message),
      )
      channel.stateChanged.subscribe((state) => {
        if (state === 'closed' && this.#channels.get(label) === channel) this.#channels.delete(label)
      })
    })
  }

  /** Once the handshake is done. */
  start(): void {
    this.#sctp.start(SCTP_PORT).catch(() => {})
  }

  /** Sends, or drops when the channel is not open or the client has fallen too far behind. */
  send(label: string, message: Buffer): boolean {
    const channel = this.#channels.get(label)
    if (channel?.readyState !== 'open' || message.length > MAX_MESSAGE_LENGTH) return false
    const limit = channel.maxRetransmits === null ? MAX_BUFFERED : MAX_BUFFERED_LOSSY
    if (channel.bufferedAmount + message.length > limit) return false
    channel.send(message)
    return true
  }

  close(): void {
    this.#channels.clear()
    this.#sctp.stop().catch(() => {})
  }
}
