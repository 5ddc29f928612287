import type { Series } from '@parley/rules/recurrence'

/** One meeting as one recipient's calendar is to know it (RFC 5545, 5546). */
export type CalendarInput = {
  /** REQUEST and CANCEL are mailed to the attendee; PUBLISH is what a feed or a file says. */
  method: 'REQUEST' | 'CANCEL' | 'PUBLISH'
  /** The same for the life of the meeting. */
  uid: string
  sequence: number
  /** When this was said (DTSTAMP). */
  stamp: Date
  /** When the meeting was last changed; `stamp` when absent. */
  modifiedAt?: Date
  organizer: { name: string; email: string }
  /** Only the recipient; null in what is published. */
  attendee: { name?: string; email: string; response?: 'accepted' | 'tentative' | 'declined' } | null
  topic: string
  /** Plain text with its links. */
  description: string
  /** The join link. */
  location: string
  url: string
  series: Series
  /** With CANCEL: the start of the one occurrence that is cancelled; all of the meeting when absent. */
  occurrence?: Date
  /** With CANCEL: CANCELLED when the meeting is off, CONFIRMED when it goes on without this attendee. */
  status: 'CONFIRMED' | 'CANCELLED'
  /** Before each occurrence; no alarm when absent or 0. */
  reminderMinutes?: number
}
