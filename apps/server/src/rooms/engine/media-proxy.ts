import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { isUuid } from '../../platform/database/uuid.ts'
import { problem } from '../../platform/http/problem.ts'
import { refuseUpgrade } from '../../platform/http/raw-reply.ts'
import { enforceHeaderLimits } from '../../platform/http/request-headers.ts'
import { findPermittedParticipants } from '../admission/permitted-participants.ts'
import type { ReceivedDependencies } from '../dependencies.ts'
import type { EmbeddedMedia } from './embedded-media.ts'
import type { MediaEngine } from './media-engine.ts'

/** The most connections, one for each participant: more than one engine can carry. */
const maxSockets = 2_000
/** Both sides ping each other every few seconds. */
const idleLimitMs = 60_000
/** The address at which livekit-client checks whether the network is back. */
const root = '/media'
const validateLimitMs = 5_000
/** Enough to notice that an engine has ended. */
const maxTries = 20
const retryDelayMs = 50

/** The engine's paths for browsers, by their public paths. The engine's API is not public. */
const sockets: Readonly<Record<string, string>> = { '/media/rtc': '/rtc', '/media/rtc/v1': '/rtc/v1' }
const validations: Readonly<Record<string, string>> = {
  '/media/rtc/validate': '/rtc/validate',
  '/media/rtc/v1/validate': '/rtc/v1/validate',
}

/** Headers of a handshake (RFC 6455, 4.1) that are forwarded to the engine. The engine gets no cookies. */
const forwardedHeaders = [
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-extensions',
  'sec-websocket-protocol',
  'user-agent',
]

/** Whether a request opens a WebSocket to the engine. Any other upgrade is treated as an ordinary request. */
export const isMediaUpgrade = ({ method, url = '', headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && Object.hasOwn(sockets, pathOf(url))

type MediaProxy = {
  /** Close all connections and accept no new ones. */
  stop(): void
}

type MediaProxyOptions = {
  engine: EmbeddedMedia
  /** Check the token of a connection; undefined if it may not connect. */
  mayConnect(token: string): Promise<PermittedConnection | undefined>
  /** The network of a client, for limits; undefined without limits. */
  networkOf(request: IncomingMessage): string | undefined
}

/**
 * Proxy WebSockets to the embedded engine, which listens on the loopback interface only, so that a service needs one
 * server, one certificate and one port. Clients that may not be inside do not reach the engine.
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
    if (stopped || open.size >= maxSockets) return refuseUpgrade(socket, 503)
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    join(request, socket, head).catch(() => refuseUpgrade(socket, 503))
  })

  async function join(request: IncomingMessage, socket: Duplex, head: Buffer) {
    const { url = '', headers } = request
    if (enforceHeaderLimits(headers) !== undefined) return refuseUpgrade(socket, 431)
    const permitted = await mayConnect(tokenIn(url))
    if (permitted === undefined) return refuseUpgrade(socket, 401)
    const upstream = await connectToEngine(engine)
    if (stopped || socket.destroyed) {
      upstream.destroy()
      socket.destroy()
      return
    }
    const path = pathOf(url)
    const lines = [
      `GET ${sockets[path]}${url.slice(path.length)} HTTP/1.1`,
      'Host: 127.0.0.1',
      'Connection: Upgrade',
      'Upgrade: websocket',
      ...Object.entries(originHeaders(permitted, networkOf(request))).map(([name, value]) => `${name}: ${value}`),
      ...forwardedHeaders.flatMap((name) => (headers[name] === undefined ? [] : [`${name}: ${headers[name]}`])),
    ]
    upstream.write(`${lines.join('\r\n')}\r\n\r\n`)
    upstream.write(head)
    for (const [source, target] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      source.on('error', () => target.destroy())
      source.on('close', () => target.destroy())
      source.pipe(target)
    }
    upstream.on('timeout', () => upstream.destroy())
  }

  return {
    stop() {
      stopped = true
      for (const socket of open) socket.destroy()
    },
  }
}

/**
 * The headers by which the engine counts joins (media/room/join-origin.ts). The engine trusts these headers, because
 * only this service reaches the engine.
 */
const originHeaders = ({ hostId }: PermittedConnection, network: string | undefined): Record<string, string> => ({
  'x-parley-owner': hostId,
  ...(network !== undefined && { 'x-parley-network': network }),
})

/** Connect to the engine. Retries, because an engine may have died unnoticed and be restarted. */
async function connectToEngine(engine: EmbeddedMedia): Promise<Socket> {
  for (let tries = 1; ; tries++) {
    const { port } = new URL(await engine.apiAddress())
    const socket = connect({ host: '127.0.0.1', port: Number(port), noDelay: true, timeout: idleLimitMs })
    try {
      await once(socket, 'connect')
      return socket
    } catch (error) {
      socket.destroy()
      if (tries === maxTries) throw error
      await sleep(retryDelayMs)
    }
  }
}

const pathOf = (url: string) => url.split('?', 1)[0] ?? ''

const tokenIn = (url: string) => new URLSearchParams(url.slice(pathOf(url).length)).get('access_token') ?? ''

/** A permitted connection, with the account that hosts its meeting. */
type PermittedConnection = { hostId: string }

/**
 * Create a check whether a token may be used now: it has our signature, has not expired, and its participant may still
 * be inside. A saved token is therefore useless, even for the moment until the engine reports the participant.
 */
export function createMayConnect(
  { apiKey, apiSecret }: MediaEngine,
  dependencies: Pick<ReceivedDependencies, 'database' | 'config' | 'clock'>,
) {
  return async (token: string): Promise<PermittedConnection | undefined> => {
    // Loaded with the first call (test/source/lazy-packages.test.ts).
    const { TokenVerifier } = await import('livekit-server-sdk')
    const verifier = new TokenVerifier(apiKey, apiSecret)
    const { sub = '', video } = await verifier.verify(token, 0).catch(() => ({ sub: '', video: undefined }))
    const meetingId = video?.room ?? ''
    if (!video?.roomJoin || !isUuid(sub) || !isUuid(meetingId)) return undefined
    const permitted = await findPermittedParticipants(dependencies, meetingId, [sub], dependencies.clock.now())
    const participant = permitted?.get(sub)
    return participant && { hostId: participant.hostId }
  }
}
