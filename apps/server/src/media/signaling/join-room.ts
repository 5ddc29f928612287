import {
  DisconnectReason,
  JoinResponse,
  LeaveRequest,
  LeaveRequest_Action,
  ParticipantInfo_State,
  ParticipantUpdate,
  ReconnectResponse,
  ServerInfo,
} from '@livekit/protocol'
import type { WebSocket } from 'ws'
import type { TokenClaims } from '../room/access-token.ts'
import type { JoinOrigin } from '../room/join-origin.ts'
import type { MediaRoom } from '../room/media-room.ts'
import type { Participant } from '../room/participant.ts'
import { permissionOf } from '../room/permission.ts'
import { SignalBudget } from '../room/signal-budget.ts'
import { SignalSocket } from '../room/signal-socket.ts'
import { tooMuchSent } from '../room/too-much-sent.ts'
import type { Join } from './join-request.ts'
import { sendToken } from './refresh-token.ts'
import type { ServerDependencies } from './server-dependencies.ts'
import { answerRequest } from './signal-requests.ts'

/** As LiveKit: the client pings this often, and gives up when it hears nothing for so long. */
const pingIntervalSeconds = 5
const pingTimeoutSeconds = 15
/** The protocol that is spoken, and the LiveKit that speaks it, too: without a version the client refuses to join. */
const protocolVersion = 17
const livekitVersion = '1.13.5'

const serverInfo = () => new ServerInfo({ version: livekitVersion, protocol: protocolVersion, nodeId: 'embedded' })

/** Makes a participant of who opened this socket, and answers what it asks for from then on. */
export function joinRoom(
  room: MediaRoom,
  claims: TokenClaims,
  join: Join,
  origin: JoinOrigin,
  socket: WebSocket,
  tools: ServerDependencies,
): void {
  const { identity, name, metadata, attributes, video } = claims
  const person = { identity, name, metadata, attributes, permission: permissionOf(video) }
  const participant = room.join(person, join.autoSubscribe, origin)
  listen(room, participant, socket, tools)
  participant.send({ case: 'join', value: describeRoom(room, participant) })
  sendToken(room, participant, tools)
  const { offer } = join
  if (offer !== undefined) tools.guard(room, participant, () => participant.negotiate(offer))
}

/** Goes on with a session whose socket was lost. Without one the client is told to begin anew. */
export function resumeSession(
  room: MediaRoom | undefined,
  claims: TokenClaims,
  join: Join,
  socket: WebSocket,
  tools: ServerDependencies,
): void {
  const participant = room?.get(claims.identity)
  if (room === undefined || participant === undefined || participant.sid !== join.resumedSid) {
    const leave = new LeaveRequest({ reason: DisconnectReason.STATE_MISMATCH, action: LeaveRequest_Action.RECONNECT })
    const budget = new SignalBudget(tools.nowMs())
    const signal = new SignalSocket(socket, budget, tools.nowMs, { onRequest() {}, onClosed() {}, onExhausted() {} })
    signal.send({ case: 'leave', value: leave })
    signal.close()
    return
  }
  participant.signal?.close()
  listen(room, participant, socket, tools)
  participant.send({
    case: 'reconnect',
    value: new ReconnectResponse({ serverInfo: serverInfo(), lastMessageSeq: participant.lastDataSequence }),
  })
  // What happened meanwhile was told to nobody.
  const others = visibleTo(room, participant).map((one) => one.toInfo())
  participant.send({
    case: 'update',
    value: new ParticipantUpdate({ participants: [participant.toInfo(), ...others] }),
  })
  sendToken(room, participant, tools)
  participant.requireSections()
}

function listen(room: MediaRoom, participant: Participant, socket: WebSocket, tools: ServerDependencies): void {
  const signal = new SignalSocket(socket, participant.signalBudget, tools.nowMs, {
    onRequest(request) {
      if (participant.signal !== signal) return
      tools.guard(room, participant, () => answerRequest(room, participant, request, tools.nowMs()))
    },
    onClosed() {
      if (participant.signal !== signal) return
      participant.signal = undefined
      participant.awaySinceMs = tools.nowMs()
    },
    onExhausted() {
      if (participant.signal === signal) room.leave(participant, tooMuchSent)
    },
  })
  participant.signal = signal
  participant.awaySinceMs = undefined
  if (socket.readyState !== socket.OPEN) {
    participant.signal = undefined
    participant.awaySinceMs = tools.nowMs()
  }
}

function describeRoom(room: MediaRoom, participant: Participant): JoinResponse {
  return new JoinResponse({
    room: room.toInfo(),
    participant: participant.toInfo(),
    otherParticipants: visibleTo(room, participant).map((one) => one.toInfo()),
    serverVersion: livekitVersion,
    serverInfo: serverInfo(),
    pingInterval: pingIntervalSeconds,
    pingTimeout: pingTimeoutSeconds,
    enabledPublishCodecs: room.toInfo().enabledCodecs,
    fastPublish: true,
  })
}

const visibleTo = (room: MediaRoom, participant: Participant) =>
  room.participants.filter(
    (one) => one !== participant && one.state === ParticipantInfo_State.ACTIVE && !one.person.permission.hidden,
  )
