import type { AdvancedOptions, MeetingAtTheDoor } from '@parley/contract'
import type { RecurrenceRule } from '@parley/rules/recurrence/recurrence'

/** A meeting, or somebody's own room, as far as its door needs it, with what ties the visitor to it. */
export type MeetingForEntry = {
  kind: MeetingAtTheDoor['kind']
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
  skipped: readonly string[]
  host: { id: string; tenantId: string; name: string; lname: string }
  /** What the visitor's trusted address is in the meeting; null when it is nothing. */
  invited: boolean | null
  cohost: boolean | null
  lockedAt: Date | null
  /** From when new guests have to wait, and for which date; null: they do not. */
  asksNewGuestsSince: Date | null
  asksNewGuestsFor: Date | null
  endedAt: Date | null
}
