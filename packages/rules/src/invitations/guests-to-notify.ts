import { nextOccurrence, type Series } from '../recurrence/recurrence.ts'

/** What the calendar of somebody who was mailed about a meeting shows, compared with the meeting before a change. */
export type Recipient = { addressKey: string; holds: 'nothing' | 'state-before' | 'another-state' }

export type NotifiedChange = {
  /** What takes place; null where nothing does. */
  before: Series | null
  after: Series | null
  /** Whether calendars show something else now; otherwise only the people have changed. */
  isContentChanged: boolean
  invited: readonly string[]
  recipients: readonly Recipient[]
}

/**
 * Select the addresses whose calendars a change may have made wrong, or that missed an earlier one: a change of the people
 * alone concerns those who come and go, and whoever has not been mailed all that was changed quietly. What each of them is
 * mailed is decided when the mail is sent.
 */
export function guestsToNotify(change: NotifiedChange, now: Date): string[] {
  const { before, after, isContentChanged, invited, recipients } = change
  const [wasAhead, isAhead] = [before, after].map(
    (series) => series !== null && nextOccurrence(series, now) !== undefined,
  )
  const areInvited = new Set(invited)
  const holds = new Map(recipients.map((recipient) => [recipient.addressKey, recipient.holds]))
  const isConcerned = (addressKey: string) => {
    const isInvited = areInvited.has(addressKey)
    switch (holds.get(addressKey) ?? 'nothing') {
      case 'nothing':
        return isInvited && isAhead
      case 'state-before':
        return isInvited ? isContentChanged && (wasAhead || isAhead) : wasAhead
      case 'another-state':
        return true
    }
  }
  return [...new Set([...invited, ...holds.keys()])].filter(isConcerned)
}
