import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { problem } from '../../platform/http/problem.ts'
import { enforceHeaderLimits } from '../../platform/http/request-headers.ts'
import type { EmbeddedMedia } from './embedded-media.ts'
import type { PermittedConnection } from './may-connect.ts'

/** One for each person inside: more than one engine carries. */
const maxSockets = 2_000
/** Both sides ping each other every few seconds. */
const idleLimitMs = 60_000
/** What livekit-client takes for the server's address: it asks there whether the network is back. */
const root = '/media'
const validateLimitMs = 5_000
/** For an answer that is not fetched. */
const refuseLimitMs = 2_000
/** Until the end of an engine is noticed. */
const maxTries = 20
const betweenTriesMs = 50

/** What browsers need of the engine, by where we have it. Its API is not among it: that is ours alone to call. */
const sockets: Readonly<Record<string, string>> = { '/media/rtc': '/rtc', '/media/rtc/v1': '/rtc/v1' }
const validations: Readonly<Record<string, string>> = {
  '/media/rtc/validate': '/rtc/validate',
  '/media/rtc/v1/validate': '/rtc/v1/validate',
}

/** Of a handshake (RFC 6455, 4.1), what the engine is told; cookies and whatever else browsers send are not its business. */
const passedOn = [
  ...['sec-websocket-key', 'sec-websocket-version', 'sec-websocket-extensions', 'sec-websocket-protocol'],
  'user-agent',
]

/** Whether a request wants to become a connection to the engine; every other upgrade is an ordinary request. */
export const isMediaUpgrade = ({ method, url = '', headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && Object.hasOwn(sockets, pathOf(url))

export type MediaProxy = {
  /** The methods of each address that is an ordinary one. */
  paths: Map<string, string[]>
  /** Ends every connection, and takes no new one. */
  stop(): void
}

export type MediaProxyOptions = {
  engine: EmbeddedMedia
  /** Where the token of a connection still leads; undefined where it opens nothing. */
  mayConnect(token: string): Promise<PermittedConnection | undefined>
  /** The network that a connection comes from, for limits; undefined where there are none. */
  networkOf(request: IncomingMessage): string | undefined
}

/**
 * The embedded engine under our own address: it listens on this machine alone, and what stands in front of it is one
 * server, one certificate, one port. Whoever is not let in any more does not reach it.
 */
export function serveEmbeddedMedia(
  http: FastifyInstance,
  { engine, mayConnect, networkOf }: MediaProxyOptions,
): MediaProxy {
  const open = new Set<Duplex>()
  let stopped = false

  for (const [path, inner] of Object.entries(validations)) {
    http.get(path, async (request, reply) => {
      const permitted = await mayConnect(tokenIn(request.url))
      if (permitted === undefined) return reply.status(401).type('text/plain').send('not admitted')
      const address = await engine.apiAddress()
      const headers = originHeaders(permitted, networkOf(request.raw))
      const query = request.url.slice(pathOf(request.url).length)
      const signal = AbortSignal.timeout(validateLimitMs)
      const answer = await fetch(`${address}${inner}${query}`, { signal, headers }).catch(() => {
        throw problem('media_unavailable')
      })
      return reply
        .status(answer.status)
        .type('text/plain')
        .send(await answer.text())
    })
  }

  http.head(root, (_request, reply) => reply.status(204).send())

  http.server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    if (stopped || open.size >= maxSockets) return refuse(socket, '503 Service Unavailable')
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    join(request, socket, head).catch(() => refuse(socket, '503 Service Unavailable'))
  })

  async function join(request: IncomingMessage, socket: Duplex, head: Buffer) {
    const { url = '', headers } = request
    if (enforceHeaderLimits(headers) !== undefined) return refuse(socket, '431 Request Header Fields Too Large')
    const permitted = await mayConnect(tokenIn(url))
    if (permitted === undefined) return refuse(socket, '401 Unauthorized')
    const inside = await reach(engine)
    if (stopped || socket.destroyed) {
      inside.destroy()
      socket.destroy()
      return
    }
    const path = pathOf(url)
    const lines = [
      `GET ${sockets[path]}${url.slice(path.length)} HTTP/1.1`,
      ...['Host: 127.0.0.1', 'Connection: Upgrade', 'Upgrade: websocket'],
      ...Object.entries(originHeaders(permitted, networkOf(request))).map(([name, value]) => `${name}: ${value}`),
      ...passedOn.flatMap((name) => (headers[name] === undefined ? [] : [`${name}: ${headers[name]}`])),
    ]
    inside.write(`${lines.join('\r\n')}\r\n\r\n`)
    inside.write(head)
    for (const [one, other] of [
      [socket, inside],
      [inside, socket],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
      one.pipe(other)
    }
    inside.on('timeout', () => inside.destroy())
  }

  return {
    paths: new Map([[root, ['HEAD']], ...Object.keys(validations).map((path): [string, string[]] => [path, ['GET']])]),
    stop() {
      stopped = true
      for (const socket of open) socket.destroy()
    },
  }
}

/** By whom, and from where, the engine counts joins (media/signaling/join-origin.ts). It is reached by us alone. */
const originHeaders = ({ hostId }: PermittedConnection, network: string | undefined): Record<string, string> => ({
  'x-parley-owner': hostId,
  ...(network !== undefined && { 'x-parley-network': network }),
})

/** The engine may have died a moment ago, before that was noticed: whoever comes then waits for the next one. */
async function reach(engine: EmbeddedMedia): Promise<Socket> {
  for (let tries = 1; ; tries++) {
    const { port } = new URL(await engine.apiAddress())
    const socket = connect({ host: '127.0.0.1', port: Number(port), noDelay: true, timeout: idleLimitMs })
    try {
      await once(socket, 'connect')
      return socket
    } catch (error) {
      socket.destroy()
      if (tries === maxTries) throw error
      await sleep(betweenTriesMs)
    }
  }
}

const pathOf = (url: string) => url.split('?', 1)[0] ?? ''

const tokenIn = (url: string) => new URLSearchParams(url.slice(pathOf(url).length)).get('access_token') ?? ''

/** Whoever is refused keeps nothing of ours, whatever else they send or leave open. */
function refuse(socket: Duplex, status: string) {
  if (!socket.writable) return void socket.destroy()
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  // Read, so that their leaving is heard; not destroyed at once, or the answer might not reach them.
  socket.resume()
  setTimeout(() => socket.destroy(), refuseLimitMs).unref()
}
