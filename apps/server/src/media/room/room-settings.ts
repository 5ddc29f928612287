/** More participants would need more than one process. */
const maxRoomParticipants = 200
/** Time until the end of a room that no participant has joined; LiveKit's `empty_timeout`. */
const emptyTimeoutSeconds = 300
/** Time until the end of a room that all participants have left; LiveKit's `departure_timeout`. */
const departureTimeoutSeconds = 20

/** The settings of CreateRoomRequest that apply. Timeouts are in seconds. */
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

/** Change the settings that are given. Zero and empty, the defaults of protocol buffers, change nothing. */
export const changeSettings = (settings: RoomSettings, changes: RoomSettings): RoomSettings => ({
  metadata: changes.metadata || settings.metadata,
  emptyTimeout: changes.emptyTimeout || settings.emptyTimeout,
  departureTimeout: changes.departureTimeout || settings.departureTimeout,
  maxParticipants: Math.min(changes.maxParticipants || settings.maxParticipants, maxRoomParticipants),
})
