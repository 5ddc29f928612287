import type { AnonymousCookie } from '../access/credentials/anonymous-cookie.ts'
import type { AccountsService } from '../accounts/accounts-service.ts'
import type { MediaAccess } from './media-access.ts'
import type { MediaControl } from './media-control.ts'
import type { Presence } from './presence.ts'
import type { RoomReads } from './room-reads.ts'

/** What the deeds of rooms need beyond what those of accounts are handed. */
export type RoomsService = AccountsService & {
  guestCookie: AnonymousCookie
  /** For streams, which read the same again and again. */
  reads: RoomReads
  presence: Presence
  /** Absent where there is neither sound nor picture, and people are admitted all the same. */
  media?: MediaAccess
  /** Absent where `media` is. */
  control?: MediaControl
}
