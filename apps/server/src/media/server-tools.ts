import type { Logger } from 'pino'
import type { ApiKey } from './access-token.ts'
import type { MediaRoom } from './media-room.ts'
import type { Participant } from './participant.ts'
import type { Rooms } from './rooms.ts'
import type { JoinRates } from './signaling/join-rates.ts'

/** What the parts of the server are handed. */
export type ServerTools = {
  rooms: Rooms
  apiKey: ApiKey
  joinRates: JoinRates
  log: Logger
  nowMs: () => number
  /** Does something for a participant. When that fails it costs this participant the session, and nobody else anything. */
  guard(room: MediaRoom, participant: Participant, deed: () => void): void
}
