import type { Logger } from 'pino'
import type { ApiKey } from '../room/livekit-token.ts'
import type { MediaRoom } from '../room/media-room.ts'
import type { Participant } from '../room/participant.ts'
import type { Rooms } from '../room/room-registry.ts'
import type { JoinRates } from './join-rates.ts'

export type ServerDependencies = {
  rooms: Rooms
  apiKey: ApiKey
  joinRates: JoinRates
  log: Logger
  nowMs: () => number
  /** Run an action for a participant. An exception ends this participant's session and affects no other. */
  guard(room: MediaRoom, participant: Participant, action: () => void): void
}
