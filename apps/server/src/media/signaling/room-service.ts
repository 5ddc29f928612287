import {
  CreateRoomRequest,
  DataPacket,
  DeleteRoomRequest,
  DeleteRoomResponse,
  DisconnectReason,
  ListParticipantsRequest,
  ListParticipantsResponse,
  ListRoomsRequest,
  ListRoomsResponse,
  MuteRoomTrackRequest,
  MuteRoomTrackResponse,
  RemoveParticipantResponse,
  RoomParticipantIdentity,
  SendDataRequest,
  SendDataResponse,
  UpdateParticipantRequest,
  UpdateRoomMetadataRequest,
  UpdateSubscriptionsRequest,
  UpdateSubscriptionsResponse,
  UserPacket,
} from '@livekit/protocol'
import { sendData } from '../room/data-forwarding.ts'
import type { TokenClaims } from '../room/livekit-token.ts'
import type { MediaRoom } from '../room/media-room.ts'
import type { Participant } from '../room/participant.ts'
import { areTogether } from '../room/permission.ts'
import { maxRoomNameLength } from '../room/room-registry.ts'
import { setWanted, tracksNamedBy } from '../room/wanted-tracks.ts'
import { muteTrack, permit } from './participant-control.ts'
import { sendToken } from './renew-livekit-token.ts'
import type { ServerDependencies } from './server-dependencies.ts'
import { type Method, method, TwirpError } from './twirp.ts'
import { maxMetadataLength, updateProfile } from './update-profile.ts'

const maxDataLength = 64 * 1024

/** LiveKit's RoomService, by the names of its methods. */
export function roomServiceMethods(dependencies: ServerDependencies): Record<string, Method> {
  const { rooms } = dependencies
  const requireRoom = (name: string): MediaRoom => {
    const room = rooms.get(name)
    if (room === undefined) throw new TwirpError('not_found', 'requested room does not exist')
    return room
  }
  const requireParticipant = ({
    room: name,
    identity,
  }: {
    room: string
    identity: string
  }): [MediaRoom, Participant] => {
    const room = rooms.get(name)
    const participant = room?.get(identity)
    if (room === undefined || participant === undefined) throw new TwirpError('not_found', 'participant does not exist')
    return [room, participant]
  }
  return {
    CreateRoom: method(CreateRoomRequest, mayCreate, (request) => {
      const { name, metadata, emptyTimeout, departureTimeout, maxParticipants } = request
      if (name === '' || name.length > maxRoomNameLength)
        throw new TwirpError('invalid_argument', 'no room name, or too long a one')
      const room = rooms.open(name)
      if (room === undefined) throw new TwirpError('resource_exhausted', 'too many rooms')
      room.configure({ metadata, emptyTimeout, departureTimeout, maxParticipants })
      return room.toInfo()
    }),
    ListRooms: method(ListRoomsRequest, mayList, ({ names }) => {
      const named = rooms.all.filter(({ name }) => names.length === 0 || names.includes(name))
      return new ListRoomsResponse({ rooms: named.map((room) => room.toInfo()) })
    }),
    DeleteRoom: method(DeleteRoomRequest, mayCreate, ({ room }) => {
      requireRoom(room).close(DisconnectReason.ROOM_DELETED)
      return new DeleteRoomResponse()
    }),
    ListParticipants: method(ListParticipantsRequest, administers, ({ room }) => {
      const participants = (rooms.get(room)?.participants ?? []).map((participant) => participant.toInfo())
      return new ListParticipantsResponse({ participants })
    }),
    GetParticipant: method(RoomParticipantIdentity, administers, (request) => requireParticipant(request)[1].toInfo()),
    RemoveParticipant: method(RoomParticipantIdentity, administers, (request) => {
      const [room, participant] = requireParticipant(request)
      room.leave(participant, DisconnectReason.PARTICIPANT_REMOVED)
      return new RemoveParticipantResponse()
    }),
    MutePublishedTrack: method(MuteRoomTrackRequest, administers, (request) => {
      const [room, participant] = requireParticipant(request)
      const track = participant.publishing.infoOf(request.trackSid)
      if (track === undefined) throw new TwirpError('not_found', 'track is not found')
      // As in LiveKit without `enable_remote_unmute`: only the participant may unmute.
      if (!request.muted && track.muted) throw new TwirpError('failed_precondition', 'remote unmute not enabled')
      muteTrack(room, participant, { sid: request.trackSid, muted: request.muted }, true)
      return new MuteRoomTrackResponse({ track })
    }),
    UpdateParticipant: method(UpdateParticipantRequest, administers, (request) => {
      const [room, participant] = requireParticipant(request)
      const updated = updateProfile(participant.profile, request)
      if (updated === undefined) throw new TwirpError('invalid_argument', 'name, metadata or attributes are too long')
      const isMoved = !areTogether(participant.profile, updated)
      participant.profile = updated
      if (isMoved) room.move(participant)
      if (request.permission !== undefined) permit(room, participant, request.permission)
      room.broadcastState(participant)
      sendToken(room, participant, dependencies)
      return participant.toInfo()
    }),
    UpdateRoomMetadata: method(UpdateRoomMetadataRequest, administers, ({ room: name, metadata }) => {
      const room = requireRoom(name)
      if (metadata.length > maxMetadataLength) throw new TwirpError('invalid_argument', 'the metadata is too long')
      room.setMetadata(metadata)
      return room.toInfo()
    }),
    UpdateSubscriptions: method(UpdateSubscriptionsRequest, administers, (request) => {
      const [room, participant] = requireParticipant(request)
      setWanted(room, participant, tracksNamedBy(request), request.subscribe)
      return new UpdateSubscriptionsResponse()
    }),
    SendData: method(SendDataRequest, administers, (request) => {
      const { data, kind, destinationIdentities, destinationSids, topic } = request
      if (data.length > maxDataLength) throw new TwirpError('invalid_argument', 'the data is too long')
      const user = new UserPacket({
        payload: data,
        destinationIdentities,
        destinationSids,
        ...(topic === undefined ? {} : { topic }),
      })
      sendData(
        requireRoom(request.room).participants,
        new DataPacket({ destinationIdentities, value: { case: 'user', value: user } }),
        kind,
      )
      return new SendDataResponse()
    }),
  }
}

const mayCreate = ({ video }: TokenClaims) => video.roomCreate === true
const mayList = ({ video }: TokenClaims) => video.roomList === true
const administers = ({ video }: TokenClaims, { room }: { room: string }) =>
  video.roomAdmin === true && video.room === room
