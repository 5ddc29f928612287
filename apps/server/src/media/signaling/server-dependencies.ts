import type { Logger } from 'pino'
import type { ApiKey } from '../room/access-token.ts'
import type { MediaRoom } from '../room/media-room.ts'
import type { Participant } from '../room/participant.ts'
import type { Rooms } from '../room/rooms.ts'
import type { JoinRates } from './join-rates.ts'

/** What the parts of the server are handed. */
export type ServerDependencies = {
  rooms: Rooms
  apiKey: ApiKey
  joinRates: JoinRates
  log: Logger
  nowMs: () => number
  /** Does something for a participant. When that fails it costs this participant the session, and nobody else anything. */
  guard(room: MediaRoom, participant: Participant, deed: () => void): void
}
