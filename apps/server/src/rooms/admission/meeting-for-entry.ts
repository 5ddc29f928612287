import type { AdvancedOptions, EntryMeeting } from '@parley/contract'
import type { RecurrenceRule } from '@parley/rules/recurrence/recurrence'
import type { WrittenExceptions } from '../../meetings/exception-store.ts'

/** The columns of a meeting or an own room that entering needs, with the visitor's invitation. */
export type MeetingForEntry = {
  kind: EntryMeeting['kind']
  id: string
  topic: string
  startsAt: Date
  endsAt: Date
  timeZone: string
  timeZoneIana: string
  rule: RecurrenceRule
  endsBy: Date | null
  options: AdvancedOptions
  sealedSecrets: Buffer
  cancelledAt: Date | null
  exceptions: WrittenExceptions
  host: { id: string; tenantId: string; name: string; lname: string }
  /** Whether the visitor's trusted address is a participant or a cohost of the meeting; null without a row. */
  invited: boolean | null
  cohost: boolean | null
  lockedAt: Date | null
  /** Since when, and for which occurrence, new guests have to wait for admission; null if they need not. */
  asksNewGuestsSince: Date | null
  asksNewGuestsFor: Date | null
  endedAt: Date | null
}
