import type { AnonymousCookie } from '../access/credentials/anonymous-cookie.ts'
import type { Dependencies as AccountsService } from '../accounts/dependencies.ts'
import type { MediaAccess } from './engine/media-access.ts'
import type { MediaControl } from './engine/media-control.ts'
import type { Presence } from './presence.ts'
import type { RoomReads } from './room-reads.ts'

/** The dependencies of room handlers, which extend those of account handlers. */
export type RoomsService = AccountsService & {
  guestCookie: AnonymousCookie
  /** For streams, which read the same rows repeatedly. */
  reads: RoomReads
  presence: Presence
  /** Absent in a service without audio and video, which admits people all the same. */
  media?: MediaAccess
  /** Absent if `media` is. */
  control?: MediaControl
}
