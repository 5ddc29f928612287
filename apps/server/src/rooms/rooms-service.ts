import type { AnonymousCookie } from '../access/anonymous-cookie.ts'
import type { AccountsService } from '../accounts/accounts-service.ts'
import type { MediaAccess } from './media-access.ts'
import type { MediaControl } from './media-control.ts'

/** What the deeds of rooms need beyond what those of accounts are handed. */
export type RoomsService = AccountsService & {
  guestCookie: AnonymousCookie
  /** Absent where there is neither sound nor picture, and people are admitted all the same. */
  media?: MediaAccess
  /** Absent where `media` is. */
  control?: MediaControl
}
