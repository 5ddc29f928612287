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
import type { JoinOrigin } from '../room/join-origin.ts'
import type { VerifiedClaims } from '../room/livekit-token.ts'
import type { MediaRoom } from '../room/media-room.ts'
import type { Participant } from '../room/participant.ts'
import { abuseReason } from '../room/participation-end.ts'
import { permissionOf } from '../room/permission.ts'
import { SignalBudget } from '../room/signal-budget.ts'
import { SignalSocket } from '../room/signal-socket.ts'
import type { Join } from './join-request.ts'
import { sendToken } from './renew-livekit-token.ts'
import type { ServerDependencies } from './server-dependencies.ts'
import { handleSignalRequest } from './signal-requests.ts'

/** As in LiveKit: the client pings at this interval, and gives up after the timeout. */
const pingIntervalSeconds = 5
const pingTimeoutSeconds = 15
/** The protocol version, and a LiveKit version that has it: the client refuses to join a server without a version. */
const protocolVersion = 17
const livekitVersion = '1.13.5'

const serverInfo = () => new ServerInfo({ version: livekitVersion, protocol: protocolVersion, nodeId: 'embedded' })

/** Add a participant for this socket and answer its requests from then on. */
export function joinRoom(
  room: MediaRoom,
  claims: VerifiedClaims,
  join: Join,
  origin: JoinOrigin,
  socket: WebSocket,
  dependencies: ServerDependencies,
): void {
  const { identity, name, metadata, attributes, video, issuedMs } = claims
  const profile = { identity, name, metadata, attributes, permission: permissionOf(video) }
  const participant = room.join(profile, issuedMs, join.autoSubscribe, origin)
  listen(room, participant, socket, dependencies)
  participant.send({ case: 'join', value: describeRoom(room, participant) })
  sendToken(room, participant, dependencies)
  const { offer } = join
  if (offer !== undefined) dependencies.guard(room, participant, () => participant.negotiate(offer))
}

/** Resume a session whose socket was lost. If the session has ended, ask the client to reconnect with a new session. */
export function resumeSession(
  room: MediaRoom | undefined,
  claims: VerifiedClaims,
  join: Join,
  socket: WebSocket,
  dependencies: ServerDependencies,
): void {
  const participant = room?.get(claims.identity)
  if (room === undefined || participant === undefined || participant.sid !== join.resumedSid) {
    const leave = new LeaveRequest({ reason: DisconnectReason.STATE_MISMATCH, action: LeaveRequest_Action.RECONNECT })
    const budget = new SignalBudget(dependencies.nowMs())
    const signal = new SignalSocket(socket, budget, dependencies.nowMs, {
      onRequest() {},
      onClosed() {},
      onExhausted() {},
    })
    signal.send({ case: 'leave', value: leave })
    signal.close()
    return
  }
  participant.signal?.close()
  listen(room, participant, socket, dependencies)
  participant.send({
    case: 'reconnect',
    value: new ReconnectResponse({ serverInfo: serverInfo(), lastMessageSeq: participant.lastDataSequence }),
  })
  // Send the current state, because the client missed all updates meanwhile.
  const others = visibleTo(room, participant).map((other) => other.toInfo())
  participant.send({
    case: 'update',
    value: new ParticipantUpdate({ participants: [participant.toInfo(), ...others] }),
  })
  sendToken(room, participant, dependencies)
  participant.send({ case: 'streamStateUpdate', value: participant.subscriptions.streamStates() })
  participant.requireSections()
}

function listen(room: MediaRoom, participant: Participant, socket: WebSocket, dependencies: ServerDependencies): void {
  const signal = new SignalSocket(socket, participant.signalBudget, dependencies.nowMs, {
    onRequest(request) {
      if (participant.signal !== signal) return
      dependencies.guard(room, participant, () => handleSignalRequest(room, participant, request, dependencies.nowMs()))
    },
    onClosed() {
      if (participant.signal !== signal) return
      participant.signal = undefined
      participant.awaySinceMs = dependencies.nowMs()
    },
    onExhausted() {
      if (participant.signal === signal) room.leave(participant, abuseReason)
    },
  })
  participant.signal = signal
  participant.awaySinceMs = undefined
  if (socket.readyState !== socket.OPEN) {
    participant.signal = undefined
    participant.awaySinceMs = dependencies.nowMs()
  }
}

function describeRoom(room: MediaRoom, participant: Participant): JoinResponse {
  return new JoinResponse({
    room: room.toInfo(),
    participant: participant.toInfo(),
    otherParticipants: visibleTo(room, participant).map((other) => other.toInfo()),
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
    (other) =>
      other !== participant && other.state === ParticipantInfo_State.ACTIVE && !other.profile.permission.hidden,
  )
