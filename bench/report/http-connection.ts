import { connect, type Socket } from 'node:net'

export type Reply = { status: number; body: string }

const headEnd = '\r\n\r\n'
const nothing: Buffer = Buffer.alloc(0)
/** Parley itself gives up sooner. A request that takes longer counts as an error. */
const replyTimeoutMs = 60_000

/**
 * One kept-alive connection, one request at a time. It parses only as much HTTP as Parley's replies need (status and
 * Content-Length), because the driver shares the processor with the measured service. A broken connection is reopened
 * for the next request.
 */
export class HttpConnection {
  readonly #port: number
  #socket: Socket | undefined
  #pending: PromiseWithResolvers<Reply> | undefined
  #received = nothing

  constructor(port: number) {
    this.#port = port
  }

  /** @throws Error when the connection breaks before the reply is complete */
  async send(request: Buffer): Promise<Reply> {
    const socket = this.#socket ?? (await this.open())
    const pending = Promise.withResolvers<Reply>()
    this.#pending = pending
    this.#received = nothing
    socket.write(request)
    return pending.promise
  }

  async open(): Promise<Socket> {
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true })
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    socket.setTimeout(replyTimeoutMs, () => socket.destroy(new Error('No reply within a minute')))
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = undefined
      this.#fail(new Error('The connection was closed before the reply'))
    })
    this.#socket = socket
    return socket
  }

  close() {
    this.#pending = undefined
    this.#socket?.destroy()
    this.#socket = undefined
  }

  #fail(error: Error) {
    this.#pending?.reject(error)
    this.#pending = undefined
  }

  #read(chunk: Buffer) {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    const headBytes = this.#received.indexOf(headEnd)
    if (headBytes < 0) return
    const head = this.#received.toString('latin1', 0, headBytes)
    const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? []
    if (length === undefined) {
      this.#socket?.destroy(new Error(`A reply without Content-Length: ${head}`))
      return
    }
    const bodyStart = headBytes + headEnd.length
    const bodyEnd = bodyStart + Number(length)
    if (this.#received.length < bodyEnd) return
    const reply = { status: Number(head.slice(9, 12)), body: this.#received.toString('utf8', bodyStart, bodyEnd) }
    const pending = this.#pending
    this.#pending = undefined
    pending?.resolve(reply)
  }
}
