/** More would need more than one process. */
export const maxRoomParticipants = 200
/** A room that nobody has entered, as LiveKit's `empty_timeout`. */
const emptyTimeoutSeconds = 300
/** A room that everybody has left, as LiveKit's `departure_timeout`. */
const departureTimeoutSeconds = 20

/** What the service can say of a room. */
export type RoomSettings = {
  metadata: string
  emptyTimeout: number
  departureTimeout: number
  maxParticipants: number
}

export const defaultSettings: RoomSettings = {
  metadata: '',
  emptyTimeout: emptyTimeoutSeconds,
  departureTimeout: departureTimeoutSeconds,
  maxParticipants: maxRoomParticipants,
}

/** Changes what is named: zero and empty, which a request has where it says nothing, change nothing. */
export const changeSettings = (settings: RoomSettings, wishes: RoomSettings): RoomSettings => ({
  metadata: wishes.metadata || settings.metadata,
  emptyTimeout: wishes.emptyTimeout || settings.emptyTimeout,
  departureTimeout: wishes.departureTimeout || settings.departureTimeout,
  maxParticipants: Math.min(wishes.maxParticipants || settings.maxParticipants, maxRoomParticipants),
})
