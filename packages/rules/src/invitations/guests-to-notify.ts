import { nextOccurrence, type Series } from '../recurrence/recurrence.ts'

/** What a recipient's calendar shows of a meeting, compared with the meeting before a change. */
export type Recipient = { addressKey: string; holds: 'nothing' | 'state-before' | 'another-state' }

export type NotifiedChange = {
  /** The schedule; null when the meeting is cancelled or does not exist yet. */
  before: Series | null
  after: Series | null
  /** Whether calendars show different content after the change. False when only the participants have changed. */
  isContentChanged: boolean
  invited: readonly string[]
  recipients: readonly Recipient[]
}

/**
 * Select the addresses whose calendars a change may have made wrong, or that missed an earlier change. A change of the
 * participants alone concerns those who are added or removed, and recipients who have not yet been mailed a change that
 * was made without notification. The content of each mail is decided when the mail is sent.
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
