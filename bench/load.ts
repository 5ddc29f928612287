import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** `head` and `body` are in Latin-1, one character for each byte. */
export type Reply = { status: number; head: string; body: string; tookMs: number }

/** A local port, and a source of request bytes, which ends with undefined when its data is used up. */
export type Target = {
  port: number
  nextRequest(): Buffer | undefined
  /** Called with every reply; without it, bodies are counted and not kept. */
  onReply?(reply: Reply): void
}

export type Load = {
  elapsedMs: number
  requestsPerSecond: number
  /** Of successful requests; at a fixed rate from the time at which a request was due. */
  latenciesMs: readonly number[]
  /** The delay of requests for which a connection was free, which is the driver's own. Fixed rate only. */
  ownDelaysMs: readonly number[]
  /** The number of failures by status or cause. */
  errors: ReadonlyMap<string, number>
  ranOut: boolean
}

/** The time after the last arrival until requests without a reply count as errors. */
const drainLimitMs = 10_000
const openedAtOnce = 100

/** Closed loop: each connection sends its next request when the last one is answered. */
export async function putUnderLoad(target: Target, connections: number, durationMs: number): Promise<Load> {
  const recorder = new Recorder()
  const pool = await openAll(target, connections)
  const beganMs = performance.now()
  await Promise.all(
    pool.map(async (connection) => {
      while (performance.now() - beganMs < durationMs && !recorder.ranOut) {
        const request = target.nextRequest()
        if (request === undefined) recorder.ranOut = true
        else await recorder.send(connection, request, performance.now())
      }
    }),
  )
  for (const connection of pool) connection.close()
  return recorder.load(performance.now() - beganMs)
}

/**
 * Put a target under load as `putUnderLoad` does.
 * @throws Error when a reply is not a success, or the requests run out
 */
export async function measureLoad(target: Target, connections: number, durationMs: number): Promise<Load> {
  const load = await putUnderLoad(target, connections, durationMs)
  const [error] = load.errors.keys()
  if (error !== undefined) throw new Error(`Not a success: ${error}`)
  if (load.ranOut) throw new Error('All prepared requests are used: prepare more of them')
  return load
}

/**
 * Open loop: requests are due by a schedule that does not wait for replies. While all connections are busy they wait
 * here, and their latency counts from the time at which they were due: a slow reply cannot hide the requests that it
 * held up (coordinated omission).
 */
export async function putUnderFixedRate(
  target: Target,
  connections: number,
  { durationMs, ratePerSecond }: { durationMs: number; ratePerSecond: number },
): Promise<Load> {
  const recorder = new Recorder()
  const total = Math.floor((durationMs * ratePerSecond) / 1000)
  const idle = await openAll(target, connections)
  const pool = [...idle]
  const beganMs = performance.now()
  const dueMs = (arrival: number) => beganMs + (arrival * 1000) / ratePerSecond
  let arrival = 0
  let inFlight = 0
  let wasSaturated = false

  function dispatch() {
    while (arrival < total && dueMs(arrival) <= performance.now()) {
      // In rotation, so that no connection is idle for so long that the server closes it.
      const connection = idle.shift()
      if (connection === undefined) {
        wasSaturated = true
        return
      }
      const request = target.nextRequest()
      if (request === undefined) {
        recorder.ranOut = true
        arrival = total
        return
      }
      // A request that waited for a connection says nothing about the driver's delay.
      if (!wasSaturated) recorder.ownDelaysMs.push(performance.now() - dueMs(arrival))
      inFlight += 1
      void recorder.send(connection, request, dueMs(arrival++)).then(() => {
        inFlight -= 1
        idle.push(connection)
        dispatch()
      })
    }
    wasSaturated = false
  }

  const endMs = beganMs + durationMs + drainLimitMs
  while (arrival < total && performance.now() < endMs) {
    dispatch()
    // Without an idle connection, the next reply dispatches.
    await sleep(idle.length === 0 ? 1 : Math.min(100, Math.max(1, dueMs(arrival) - performance.now())))
  }
  while (inFlight > 0 && performance.now() < endMs) await sleep(1)
  const unanswered = inFlight + total - arrival
  if (unanswered > 0) recorder.errors.set('not answered in time', unanswered)
  for (const connection of pool) connection.close()
  return recorder.load(Math.max(durationMs, performance.now() - beganMs))
}

/** @returns the length of the body of one reply in bytes */
export async function bodyBytesOf(target: Target): Promise<number> {
  const connection = new Connection(target, true)
  const { body } = await connection.send(target.nextRequest() ?? Buffer.alloc(0))
  connection.close()
  return body.length
}

/** Repeat the requests in rotation. */
export function inTurn(port: number, requests: readonly Buffer[]): Target {
  let turn = 0
  return { port, nextRequest: () => requests[turn++ % requests.length] }
}

export function requestBytes(method: string, path: string, token = '', body = ''): Buffer {
  const head = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1']
  if (token !== '') head.push(`Authorization: Bearer ${token}`)
  if (body !== '') head.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`)
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
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

class Recorder {
  readonly #latenciesMs: number[] = []
  readonly ownDelaysMs: number[] = []
  readonly errors = new Map<string, number>()
  ranOut = false

  async send(connection: Connection, request: Buffer, dueMs: number) {
    try {
      const reply = await connection.send(request)
      if (reply.status >= 200 && reply.status <= 299) this.#latenciesMs.push(performance.now() - dueMs)
      else this.#count(`status ${reply.status}`)
    } catch (error) {
      this.#count(error instanceof Error ? error.message : String(error))
      connection.close()
      // Do not retry at once while the service is away.
      await sleep(10)
    }
  }

  #count(cause: string) {
    this.errors.set(cause, (this.errors.get(cause) ?? 0) + 1)
  }

  load(elapsedMs: number): Load {
    const requestsPerSecond = (this.#latenciesMs.length / elapsedMs) * 1000
    const { errors, ownDelaysMs, ranOut } = this
    return { elapsedMs, requestsPerSecond, latenciesMs: this.#latenciesMs, ownDelaysMs, errors, ranOut }
  }
}

async function openAll(target: Target, count: number): Promise<Connection[]> {
  const pool = Array.from({ length: count }, () => new Connection(target))
  for (let opened = 0; opened < count; opened += openedAtOnce) {
    await Promise.all(pool.slice(opened, opened + openedAtOnce).map((connection) => connection.open()))
  }
  return pool
}

const headEnd = '\r\n\r\n'
/** Parley itself gives up sooner. A request that takes longer counts as an error. */
const replyTimeoutMs = 60_000

/**
 * A kept-alive connection with one request at a time. It reads only as much HTTP as the replies need (status and
 * Content-Length): on two cores, the driver's processor time is taken from the server. A broken connection is reopened
 * for the next request.
 */
class Connection {
  readonly #port: number
  readonly #onReply: Target['onReply']
  readonly #keepsBody: boolean
  #socket: Socket | undefined
  #reply: PromiseWithResolvers<Reply> | undefined
  #sentMs = 0
  #head = ''
  #body = ''
  #status = 0
  /** Of the body; undefined until the head is complete. */
  #bytesDue: number | undefined

  constructor({ port, onReply }: Target, keepsBody = onReply !== undefined) {
    this.#port = port
    this.#onReply = onReply
    this.#keepsBody = keepsBody
  }

  async open(): Promise<Socket> {
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true })
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    socket.setTimeout(replyTimeoutMs, () => socket.destroy(new Error('No reply within a minute')))
    socket.on('data', (chunk: Buffer) => this.#read(chunk.toString('latin1')))
    socket.on('error', (error) => this.#reply?.reject(error))
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = undefined
      this.#reply?.reject(new Error('The connection was closed before the reply'))
    })
    this.#socket = socket
    return socket
  }

  async send(request: Buffer): Promise<Reply> {
    const socket = this.#socket ?? (await this.open())
    this.#reply = Promise.withResolvers()
    this.#head = ''
    this.#body = ''
    this.#bytesDue = undefined
    this.#sentMs = performance.now()
    socket.write(request)
    return this.#reply.promise
  }

  close() {
    this.#reply = undefined
    this.#socket?.destroy()
    this.#socket = undefined
  }

  #read(text: string) {
    if (this.#bytesDue === undefined) {
      this.#head += text
      const headLength = this.#head.indexOf(headEnd)
      if (headLength < 0) return
      const start = headLength + headEnd.length
      const [, length] = /\r\ncontent-length: (\d+)/i.exec(this.#head.slice(0, start)) ?? []
      this.#status = Number(this.#head.slice(9, 12))
      this.#bytesDue = Number(length ?? 0) - (this.#head.length - start)
      this.#body = this.#keepsBody ? this.#head.slice(start) : ''
      this.#head = this.#head.slice(0, headLength)
    } else {
      this.#bytesDue -= text.length
      if (this.#keepsBody) this.#body += text
    }
    if (this.#bytesDue > 0) return
    const tookMs = performance.now() - this.#sentMs
    const reply = { status: this.#status, head: this.#head, body: this.#body, tookMs }
    this.#onReply?.(reply)
    this.#reply?.resolve(reply)
  }
}
