import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import {
  Codec,
  DisconnectReason,
  type ParticipantInfo,
  type Room,
  type TrackInfo,
  WebhookEvent,
} from '@livekit/protocol'
import type { Logger } from 'pino'
import { WebSocketServer } from 'ws'
import { refuseUpgrade } from '../platform/http/raw-reply.ts'
import type { Random } from '../platform/random.ts'
import { otherUdpPort } from '../platform/udp-port.ts'
import { prepareCertificate } from './peer/dtls.ts'
import { UdpMux } from './peer/udp-mux.ts'
import { type JoinOrigin, readJoinOrigin } from './room/join-origin.ts'
import { type ApiKey, type VerifiedClaims, verifyToken } from './room/livekit-token.ts'
import { PendingJoins } from './room/pending-joins.ts'
import type { RoomEventName } from './room/room-dependencies.ts'
import { maxRoomNameLength, Rooms } from './room/room-registry.ts'
import { maxSignalLength } from './room/signal-socket.ts'
import { JoinRates } from './signaling/join-rates.ts'
import { type Join, readJoinRequest } from './signaling/join-request.ts'
import { joinRoom, resumeSession } from './signaling/join-room.ts'
import { refreshIntervalMs, sendToken } from './signaling/renew-livekit-token.ts'
import { serveRoomService } from './signaling/room-service-http.ts'
import type { ServerDependencies } from './signaling/server-dependencies.ts'
import { isWithinLimits } from './signaling/update-profile.ts'
import { generateSid } from './tracks/sid.ts'

type MediaServerOptions = {
  apiKey: ApiKey
  /** The one port for all media; 0 lets the system choose. */
  udpPort: number
  /** The last port to try where `udpPort` is taken. */
  lastUdpPort?: number | undefined
  publicAddress: string | undefined
  log: Logger
  random: Random
  nowMs: () => number
  /** Process an event that LiveKit would send to a webhook, in the same format. */
  onEvent(event: unknown): void
}

export type MediaServer = { port: number; udpPort: number; close(): Promise<void> }

/** The URL of a join has a compressed offer of 2 KiB and a token, and clients may add more. */
const maxHeaderLength = 32 * 1024
/** With less, a call of more than a dozen people loses packets whenever the process is busy for a tenth of a second. */
const minReceiveBufferLength = 1024 * 1024
/** Behind the service's own limits. A participant takes one. */
const maxOpenConnections = 5000

/**
 * Listen on a free port of 127.0.0.1 for signalling, and on the UDP port for media.
 * @throws StartProblem when the UDP port cannot be used
 */
export async function startMediaServer(options: MediaServerOptions): Promise<MediaServer> {
  const { apiKey, log, random, nowMs } = options
  await prepareCertificate()
  const ports = { port: options.udpPort, lastPort: options.lastUdpPort }
  const mux = await UdpMux.open(ports, nowMs, (error) => log.warn({ err: error }, 'The UDP socket failed'))
  if (ports.port !== 0 && mux.port !== ports.port) log.warn(otherUdpPort(ports.port, mux.port))
  const { receiveBufferLength } = mux
  if (receiveBufferLength < minReceiveBufferLength) {
    log.info({ receiveBufferLength }, 'The UDP receive buffer is small for large calls: raise net.core.rmem_max')
  }
  const rooms = new Rooms({
    mux,
    pending: new PendingJoins(),
    random,
    nowMs,
    publicAddress: options.publicAddress,
    codecs: ['video/VP8', 'video/H264', 'audio/opus'].map((mime) => new Codec({ mime })),
    report: (name, room, participant, track) =>
      options.onEvent(describeEvent({ name, room, participant, track }, random, nowMs())),
  })
  const dependencies: ServerDependencies = {
    rooms,
    apiKey,
    joinRates: new JoinRates(),
    log,
    nowMs,
    guard(room, participant, action) {
      try {
        action()
      } catch (error) {
        log.warn(
          { err: error, room: room.name, participant: participant.sid },
          'A participant was closed after an error',
        )
        room.leave(participant, DisconnectReason.STATE_MISMATCH)
      }
    },
  }
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxSignalLength })
  const server = createServer({ maxHeaderSize: maxHeaderLength }, (request, response) =>
    answer(request, response, dependencies),
  )
  server.on('upgrade', (request, socket, head) => upgrade(request, socket, head, sockets, dependencies))
  server.maxConnections = maxOpenConnections
  const refreshing = setInterval(() => {
    for (const room of rooms.all)
      for (const participant of room.participants) sendToken(room, participant, dependencies)
  }, refreshIntervalMs)
  await listen(server)
  return {
    port: (server.address() as AddressInfo).port,
    udpPort: mux.port,
    async close() {
      clearInterval(refreshing)
      rooms.close()
      mux.close()
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const listen = (server: Server) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve())
  })

function answer(request: IncomingMessage, response: ServerResponse, dependencies: ServerDependencies): void {
  const { pathname } = urlOf(request)
  if (request.method === 'POST' && pathname.startsWith('/twirp/')) {
    serveRoomService(request, response, pathname, dependencies)
    return
  }
  response.setHeader('access-control-allow-origin', '*')
  const admission =
    pathname === '/rtc/v1/validate' ? admit(request, dependencies) : { status: 404, message: 'Not Found' }
  if ('status' in admission) response.writeHead(admission.status).end(admission.message)
  else response.writeHead(200).end('success')
}

function upgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  sockets: WebSocketServer,
  dependencies: ServerDependencies,
): void {
  socket.on('error', () => {})
  const { pathname } = urlOf(request)
  const admission = pathname === '/rtc/v1' ? admit(request, dependencies) : { status: 404, message: 'Not Found' }
  if ('status' in admission) {
    refuseUpgrade(socket, admission.status, admission.message)
    return
  }
  const { claims, join, origin } = admission
  const name = claims.video.room ?? ''
  if (!dependencies.joinRates.take(name, claims.identity, origin.network, dependencies.nowMs())) {
    refuseUpgrade(socket, tooManyJoins.status, tooManyJoins.message)
    return
  }
  sockets.handleUpgrade(request, socket, head, (opened) => {
    if (join.resumedSid !== undefined) {
      resumeSession(dependencies.rooms.get(name), claims, join, opened, dependencies)
      return
    }
    const room = dependencies.rooms.open(name)
    if (room === undefined || (room.isFull && room.get(claims.identity) === undefined)) {
      opened.close(1013, 'no room')
      return
    }
    try {
      joinRoom(room, claims, join, origin, opened, dependencies)
    } catch (error) {
      dependencies.log.error({ err: error }, 'A participant could not join')
      opened.close(1011, 'could not join')
    }
  })
}

type Refusal = { status: number; message: string }
type Admission = { claims: VerifiedClaims; join: Join; origin: JoinOrigin }

const tooManyJoins: Refusal = { status: 429, message: 'too many joins' }

/** Check whether a request may open a signal socket. */
function admit(request: IncomingMessage, { apiKey, joinRates, nowMs }: ServerDependencies): Admission | Refusal {
  const { searchParams } = urlOf(request)
  const bearer = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
  const claims = verifyToken(bearer ?? searchParams.get('access_token') ?? '', apiKey, nowMs())
  if (claims === undefined) return { status: 401, message: 'invalid authorization token' }
  const { room = '', roomJoin } = claims.video
  if (roomJoin !== true || room === '') return { status: 401, message: 'permissions denied' }
  if (claims.identity === '') return { status: 400, message: 'identity cannot be empty' }
  if (room.length > maxRoomNameLength || !isWithinLimits(claims)) return { status: 400, message: 'a name is too long' }
  const origin = readJoinOrigin(request, room)
  if (!joinRates.has(room, claims.identity, origin.network, nowMs())) return tooManyJoins
  const join = readJoinRequest(searchParams.get('join_request'))
  return join === undefined ? { status: 400, message: 'join_request is required' } : { claims, join, origin }
}

const urlOf = (request: IncomingMessage) => new URL(request.url ?? '/', 'http://127.0.0.1')

type RoomEvent = {
  name: RoomEventName
  room: { toInfo(): Room }
  participant: ParticipantInfo | undefined
  track: TrackInfo | undefined
}

/** The body of the webhook that LiveKit would send. */
function describeEvent({ name, room, participant, track }: RoomEvent, random: Random, nowMs: number): unknown {
  return new WebhookEvent({
    event: name,
    room: room.toInfo(),
    ...(participant === undefined ? {} : { participant }),
    ...(track === undefined ? {} : { track }),
    id: generateSid(random, 'EV_'),
    createdAt: BigInt(Math.floor(nowMs / 1000)),
  }).toJson()
}
