import { SignalRequest, SignalResponse } from '@livekit/protocol'
import type { RawData, WebSocket } from 'ws'

/** An offer of 300 sections has a megabyte. */
export const MAX_SIGNAL_LENGTH = 2 * 1024 * 1024
/** A client that does not read what it is sent. */
const MAX_UNSENT = 8 * 1024 * 1024
/** A page that lays out fifty tiles asks for fifty sizes at once. */
const MAX_REQUESTS_PER_WINDOW = 600
const WINDOW_MS = 10_000
const POLICY_VIOLATION = 1008

export type SignalMessage = SignalResponse['message']

/** The WebSocket of one participant, over which LiveKit's protocol buffers go. */
export class SignalSocket {
  readonly #socket: WebSocket
  #windowStartMs = 0
  #requests = 0

  constructor(
    socket: WebSocket,
    nowMs: () => number,
    handlers: { onRequest(request: SignalRequest): void; onClosed(): void },
  ) {
    this.#socket = socket
    socket.on('message', (data, isBinary) => {
      if (!this.#admit(nowMs())) return
      const request = readRequest(data, isBinary)
      if (request === undefined) socket.close(POLICY_VIOLATION, 'not a signal request')
      else handlers.onRequest(request)
    })
    socket.on('close', () => handlers.onClosed())
    // A socket that fails is closed next.
    socket.on('error', () => {})
  }

  send(message: SignalMessage): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    if (this.#socket.bufferedAmount > MAX_UNSENT) {
      this.#socket.terminate()
      return
    }
    this.#socket.send(new SignalResponse({ message }).toBinary())
  }

  /** Says goodbye; a peer that does not answer is cut off. */
  close(): void {
    this.#socket.close(1000)
    const { terminate } = this.#socket
    setTimeout(() => terminate.call(this.#socket), CLOSE_LIMIT_MS).unref()
  }

  #admit(nowMs: number): boolean {
    if (nowMs - this.#windowStartMs > WINDOW_MS) {
      this.#windowStartMs = nowMs
      this.#requests = 0
    }
    this.#requests += 1
    if (this.#requests <= MAX_REQUESTS_PER_WINDOW) return true
    this.#socket.close(POLICY_VIOLATION, 'too many requests')
    return false
  }
}

const CLOSE_LIMIT_MS = 1000

function readRequest(data: RawData, isBinary: boolean): SignalRequest | undefined {
  try {
    const octets = Buffer.isBuffer(data) ? data : Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)
    return isBinary
      ? SignalRequest.fromBinary(octets)
      : SignalRequest.fromJsonString(octets.toString('utf8'), { ignoreUnknownFields: true })
  } catch {
    return undefined
  }
}
