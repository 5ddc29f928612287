import type { MeetingTexts } from '@parley/contract/meeting-fields'
import type { Series } from '@parley/rules/recurrence/recurrence'

type Response = 'accepted' | 'tentative' | 'declined'

/** One meeting for one recipient's calendar (RFC 5545, 5546). */
export type CalendarInput = MeetingTexts & {
  /**
   * REQUEST and CANCEL are mailed to the attendee, PUBLISH is for feeds. A file has no METHOD: CalDAV servers refuse
   * objects with one (RFC 4791, 4.1).
   */
  method: 'REQUEST' | 'CANCEL' | 'PUBLISH' | null
  /** Constant for the life of the meeting. */
  uid: string
  sequence: number
  /** When this message was created (DTSTAMP). */
  stamp: Date
  /** When the meeting was last changed; `stamp` when absent. */
  modifiedAt?: Date
  /**
   * `sentBy` is the address that sends for the organizer (RFC 5545, 3.2.18); `answersTo` is the address that receives
   * the recipient's answers, where it is not `email`.
   */
  organizer: { name: string; email: string; sentBy?: string; answersTo?: string }
  /** The recipient; null in feeds. */
  attendee: {
    name?: string
    email: string
    response?: Response
    /** Occurrences that the recipient answered otherwise; null: not yet. */
    occurrences?: readonly { originalStart: Date; response: Response | null }[]
  } | null
  /** How to join, which follows every description, also where an occurrence repeats none. */
  entrance: string
  /** Follows a description that was cut because a limit was reached, and says where all of it is. */
  cutNotice: string
  /** What a host writes with the change (COMMENT); absent for nothing. */
  comment?: string
  joinLink: string
  url: string
  /** How to join from a calendar program (RFC 7986, 5.11): its label, and the join link. */
  conference: { label: string; address: string }
  series: Series
  /** Dates that are over then are the first to be left out when a limit is reached; `stamp` when absent. */
  asOf?: Date
  /** The original start of the occurrence that is changed or cancelled; without it, the whole meeting is. */
  occurrence?: Date
  /** The original starts of the only occurrences that the recipient has; all of the meeting when absent. */
  only?: readonly Date[]
  /** With CANCEL: CANCELLED when the meeting is cancelled, CONFIRMED when it takes place without this attendee. */
  status: 'CONFIRMED' | 'CANCELLED'
  /** Before each occurrence; no alarm when absent or 0. */
  reminderMinutes?: number
}
