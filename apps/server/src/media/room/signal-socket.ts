import { SignalRequest, SignalResponse } from '@livekit/protocol'
import type { RawData, WebSocket } from 'ws'
import type { SignalBudget } from './signal-budget.ts'

/** An offer of 300 sections has a megabyte. */
export const maxSignalLength = 2 * 1024 * 1024
/** A client that does not read what it is sent. */
const maxUnsent = 8 * 1024 * 1024
const policyViolation = 1008

export type SignalMessage = SignalResponse['message']

/** The WebSocket of one participant, over which LiveKit's protocol buffers go. */
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
      /** Once: far more has been asked for than anybody needs. */
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
    // A socket that fails is closed next.
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

  /** Says goodbye; a peer that does not answer is cut off. */
  close(): void {
    clearTimeout(this.#resuming)
    // The answer to the closing handshake has to be read.
    this.#socket.resume()
    this.#socket.close(1000)
    const { terminate } = this.#socket
    setTimeout(() => terminate.call(this.#socket), closeLimitMs).unref()
  }

  /** Reads nothing more until what is owed has been given back: the client waits, and loses nothing. */
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
