import {
  type AddTrackRequest,
  DisconnectReason,
  type MuteTrackRequest,
  Pong,
  RequestResponse,
  RequestResponse_Reason,
  type SignalRequest,
  TrackPublishedResponse,
  type UpdateParticipantMetadata,
  type UpdateTrackSettings,
} from '@livekit/protocol'
import type { MediaRoom } from '../room/media-room.ts'
import type { Participant } from '../room/participant.ts'
import { mayPublish } from '../room/permission.ts'
import { applyTrackPermission, setWanted, tracksNamedBy } from '../room/wanted-tracks.ts'
import { muteTrack } from './participant-control.ts'
import { updateProfile } from './update-profile.ts'

/** Answer a request on the signal socket. Ignore requests that this server does not support. */
export function handleSignalRequest(
  room: MediaRoom,
  participant: Participant,
  request: SignalRequest,
  nowMs: number,
): void {
  const { message } = request
  switch (message.case) {
    case 'offer':
      participant.negotiate(message.value)
      break
    case 'addTrack':
      addTrack(participant, message.value)
      break
    case 'mute':
      muteOwn(room, participant, message.value)
      break
    case 'subscription':
      setWanted(room, participant, tracksNamedBy(message.value), message.value.subscribe)
      break
    case 'trackSetting':
      applyTrackSettings(participant, message.value, nowMs)
      break
    case 'subscriptionPermission':
      participant.trackPermission = message.value
      applyTrackPermission(room, participant)
      break
    case 'updateMetadata':
      updateOwn(room, participant, message.value)
      break
    case 'ping':
      participant.send({ case: 'pong', value: BigInt(nowMs) })
      break
    case 'pingReq':
      participant.send({
        case: 'pongResp',
        value: new Pong({ lastPingTimestamp: message.value.timestamp, timestamp: BigInt(nowMs) }),
      })
      break
    case 'leave':
      room.leave(participant, DisconnectReason.CLIENT_INITIATED)
      break
  }
}

function addTrack(participant: Participant, request: AddTrackRequest): void {
  const refuse = (reason: RequestResponse_Reason) =>
    participant.send({
      case: 'requestResponse',
      value: new RequestResponse({ reason, request: { case: 'addTrack', value: request } }),
    })
  if (!mayPublish(participant.profile.permission, request.source)) {
    refuse(RequestResponse_Reason.NOT_ALLOWED)
    return
  }
  const track = participant.publishing.addTrack(request)
  if (track === 'not-a-track') refuse(RequestResponse_Reason.UNSUPPORTED_TYPE)
  else if (track === 'too-many') refuse(RequestResponse_Reason.LIMIT_EXCEEDED)
  else participant.send({ case: 'trackPublished', value: new TrackPublishedResponse({ cid: request.cid, track }) })
}

function muteOwn(room: MediaRoom, participant: Participant, request: MuteTrackRequest): void {
  if (muteTrack(room, participant, request, false)) return
  participant.send({
    case: 'requestResponse',
    value: new RequestResponse({ reason: RequestResponse_Reason.NOT_FOUND, request: { case: 'mute', value: request } }),
  })
}

function applyTrackSettings(participant: Participant, settings: UpdateTrackSettings, nowMs: number): void {
  const { disabled, quality, width, height } = settings
  for (const trackSid of settings.trackSids) {
    const subscription = participant.subscriptions.get(trackSid)
    if (subscription === undefined) continue
    subscription.settings = { disabled, quality, width, height }
    if (subscription.awaitsKeyframe(nowMs)) subscription.requestKeyframe(nowMs)
  }
}

function updateOwn(room: MediaRoom, participant: Participant, request: UpdateParticipantMetadata): void {
  const { requestId, name, metadata, attributes } = request
  const answer = (reason: RequestResponse_Reason) =>
    participant.send({
      case: 'requestResponse',
      value: new RequestResponse({ requestId, reason, request: { case: 'updateMetadata', value: request } }),
    })
  if (!participant.profile.permission.canUpdateMetadata) {
    answer(RequestResponse_Reason.NOT_ALLOWED)
    return
  }
  const updated = updateProfile(participant.profile, { name, metadata, attributes })
  if (updated === undefined) {
    answer(RequestResponse_Reason.LIMIT_EXCEEDED)
    return
  }
  participant.profile = updated
  room.broadcastState(participant)
  answer(RequestResponse_Reason.OK)
}
