import type { Access } from '../access/access.ts'
import type { Dependencies as AccountDependencies } from '../accounts/dependencies.ts'
import type { Platform } from '../platform/platform.ts'
import type { MediaAccess } from './engine/media-access.ts'
import type { MediaControl } from './engine/media-control.ts'
import type { Presence } from './presence.ts'
import type { RoomReads } from './room-reads.ts'

/** What the module receives. Endpoints use the database of their handler's context, which may be a transaction. */
export type ReceivedDependencies = Pick<
  Platform,
  'config' | 'clock' | 'random' | 'encryption' | 'log' | 'pool' | 'database' | 'http'
> &
  Pick<Access, 'serve' | 'guestCookie'> &
  Pick<AccountDependencies, 'attemptLimits'>

/** What the endpoints of the module receive. */
export type Dependencies = ReceivedDependencies & {
  /** The reads of streams, which read the same rows repeatedly. */
  reads: RoomReads
  presence: Presence
  /** Absent in a service without audio and video, which still admits people. */
  media?: MediaAccess
  /** Absent if `media` is. */
  control?: MediaControl
}
