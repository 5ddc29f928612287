import { SignalRequest, SignalResponse } from '@livekit/protocol'
import type { RawData, WebSocket } from 'ws'
import type { SignalBudget } from './signal-budget.ts'

/** An offer of 300 sections has a megabyte. */
export const maxSignalLength = 2 * 1024 * 1024
/** Beyond this, the client does not read its messages. */
const maxUnsent = 8 * 1024 * 1024
const policyViolation = 1008

export type SignalMessage = SignalResponse['message']

/** The WebSocket of one participant, with LiveKit's signal protocol. */
export class SignalSocket {
  readonly #socket: WebSocket
  #resuming: NodeJS.Timeout | undefined
  #isExhausted = false

  constructor(
    socket: WebSocket,
    budget: SignalBudget,
    nowMs: () => number,
    handlers: {
      onRequest(request: SignalRequest): void
      onClosed(): void
      /** Once: the budget is exhausted. */
      onExhausted(): void
    },
  ) {
    this.#socket = socket
    socket.on('message', (data, isBinary) => {
      if (this.#isExhausted) return
      const octets = octetsOf(data)
      budget.chargeOctets(octets.length, nowMs())
      if (budget.isExhausted(nowMs())) {
        this.#isExhausted = true
        handlers.onExhausted()
        return
      }
      const request = readRequest(octets, isBinary)
      if (request === undefined) {
        socket.close(policyViolation, 'not a signal request')
        return
      }
      budget.chargeRequest(request, nowMs())
      handlers.onRequest(request)
      this.#pause(budget.pauseMs(nowMs()))
    })
    socket.on('close', () => {
      clearTimeout(this.#resuming)
      handlers.onClosed()
    })
    // A 'close' event follows.
    socket.on('error', () => {})
  }

  send(message: SignalMessage): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    if (this.#socket.bufferedAmount > maxUnsent) {
      this.#socket.terminate()
      return
    }
    this.#socket.send(new SignalResponse({ message }).toBinary())
  }

  /** Close the socket, and terminate it if the peer does not answer. */
  close(): void {
    clearTimeout(this.#resuming)
    // A paused socket would not read the answer to the closing handshake.
    this.#socket.resume()
    this.#socket.close(1000)
    const { terminate } = this.#socket
    setTimeout(() => terminate.call(this.#socket), closeLimitMs).unref()
  }

  /** Pause reading until the debt is repaid: backpressure slows the client down, and no message is lost. */
  #pause(pauseMs: number): void {
    if (pauseMs === 0 || this.#resuming !== undefined) return
    this.#socket.pause()
    this.#resuming = setTimeout(() => {
      this.#resuming = undefined
      this.#socket.resume()
    }, pauseMs)
  }
}

const closeLimitMs = 1000

function octetsOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)
}

function readRequest(octets: Buffer, isBinary: boolean): SignalRequest | undefined {
  try {
    return isBinary
      ? SignalRequest.fromBinary(octets)
      : SignalRequest.fromJsonString(octets.toString('utf8'), { ignoreUnknownFields: true })
  } catch {
    return undefined
  }
}
