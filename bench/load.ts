import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'

/** A local port, and a source of request bytes. */
export type Target = { port: number; nextRequest(): Buffer }

export type Load = { requestsPerSecond: number; latenciesMs: readonly number[] }

/**
 * Send requests in a closed loop, each worker on its own kept-alive connection. Read only the status and Content-Length
 * of replies: on two cores, the driver's processor time is taken from the server.
 * @throws Error when a reply is not a success
 */
export async function putUnderLoad(target: Target, workers: number, durationMs: number): Promise<Load> {
  const connections = await Promise.all(Array.from({ length: workers }, () => openConnection(target.port)))
  const latenciesMs: number[] = []
  const beganMs = performance.now()
  await Promise.all(
    connections.map(async (connection) => {
      let sentMs = performance.now()
      while (sentMs - beganMs < durationMs) {
        await connection.send(target.nextRequest())
        const answeredMs = performance.now()
        latenciesMs.push(answeredMs - sentMs)
        sentMs = answeredMs
      }
    }),
  )
  const tookMs = performance.now() - beganMs
  for (const connection of connections) connection.close()
  return { requestsPerSecond: (latenciesMs.length / tookMs) * 1000, latenciesMs }
}

/**
 * Send requests to the targets alternately, one at a time, so that disturbances affect all targets alike.
 * @returns the latencies of each target in milliseconds
 */
export async function sendInTurns(targets: readonly Target[], turns: number): Promise<number[][]> {
  const connected = await Promise.all(
    targets.map(async (target) => ({
      target,
      connection: await openConnection(target.port),
      latenciesMs: [] as number[],
    })),
  )
  for (let turn = 0; turn < turns; turn++) {
    for (const { target, connection, latenciesMs } of connected) {
      const sentMs = performance.now()
      await connection.send(target.nextRequest())
      latenciesMs.push(performance.now() - sentMs)
    }
  }
  for (const { connection } of connected) connection.close()
  return connected.map(({ latenciesMs }) => latenciesMs)
}

/**
 * Send one request.
 * @returns the length of the reply's body in bytes
 */
export async function bodyBytesOf({ port, nextRequest }: Target): Promise<number> {
  const connection = await openConnection(port)
  const bodyBytes = await connection.send(nextRequest())
  connection.close()
  return bodyBytes
}

export function requestBytes(method: string, path: string, token = '', body = ''): Buffer {
  const head = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1']
  if (token !== '') head.push(`Authorization: Bearer ${token}`)
  if (body !== '') head.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`)
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}

async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const connection = new Connection(socket)
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return connection
}

const nothing: Buffer = Buffer.alloc(0)
const headEnd = '\r\n\r\n'

/** A connection with one request at a time. */
class Connection {
  readonly #socket: Socket
  #reply: PromiseWithResolvers<number> | undefined
  #head = nothing
  #bodyBytes = 0
  #bytesDue = 0

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
    socket.on('error', (error) => this.#reply?.reject(error))
    socket.on('close', () => this.#reply?.reject(new Error('The connection was closed before the reply')))
  }

  /** @returns the length of the reply's body in bytes */
  send(request: Buffer): Promise<number> {
    this.#reply = Promise.withResolvers()
    this.#head = nothing
    this.#bytesDue = Number.POSITIVE_INFINITY
    this.#socket.write(request)
    return this.#reply.promise
  }

  close() {
    this.#reply = undefined
    this.#socket.destroy()
  }

  #read(chunk: Buffer) {
    if (this.#bytesDue === Number.POSITIVE_INFINITY) {
      this.#head = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk])
      const headBytes = this.#head.indexOf(headEnd)
      if (headBytes < 0) return
      const head = this.#head.toString('latin1', 0, headBytes)
      const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? []
      if (!/^HTTP\/1.1 2/.test(head) || length === undefined) {
        this.#reply?.reject(new Error(`Not a success: ${this.#head.toString('latin1', 0, 2_000)}`))
        return
      }
      this.#bodyBytes = Number(length)
      this.#bytesDue = headBytes + headEnd.length + this.#bodyBytes - this.#head.length
    } else {
      this.#bytesDue -= chunk.length
    }
    if (this.#bytesDue === 0) this.#reply?.resolve(this.#bodyBytes)
  }
}

/** @returns form requests of a client that authenticates with HTTP Basic */
export function formRequests(path: string, client: { clientId: string; clientSecret: string }) {
  const basic = btoa(`${client.clientId}:${client.clientSecret}`)
  return (fields: Record<string, string>): Buffer => {
    const form = new URLSearchParams(fields).toString()
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: 127.0.0.1',
      `Authorization: Basic ${basic}`,
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${form.length}`,
    ]
    return Buffer.from(`${head.join('\r\n')}\r\n\r\n${form}`)
  }
}
