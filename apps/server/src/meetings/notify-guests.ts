import { guestsToNotify, type NotifiedChange } from '@parley/rules/invitations/guests-to-notify'
import type { Exceptions } from '@parley/rules/recurrence/recurrence'
import type { Service } from '../access/service.ts'
import type { Tx } from '../tables/tables.ts'
import { type Address, findRecipients, queueMails } from './guest-delivery.ts'
import { requireInvitationsLeft } from './invitation-quota.ts'
import { type MeetingRow, seriesOf } from './meeting-row.ts'
import type { MeetingValues } from './meeting-store.ts'

type GuestsChange = Omit<NotifiedChange, 'invited' | 'recipients'> & {
  /** The meeting before the change. */
  meeting: Pick<MeetingRow, 'id' | 'stateSequence'>
  /** The meeting after the change. */
  invited: readonly Address[]
  senderId: string
  /** Whether the change is refused if the sender has no emails left today. */
  isRefusable: boolean
}

/**
 * Queue emails to all whose calendars a change makes outdated, in the transaction of the change. The content of an
 * email is decided when it is sent, from what that guest was last sent (docs/decisions/0054).
 * @throws too_many_invitations
 */
export async function notifyGuests(
  tx: Tx,
  service: Pick<Service, 'config'>,
  { meeting, invited, senderId, isRefusable, ...change }: GuestsChange,
  now: Date,
): Promise<void> {
  const recipients = await findRecipients(tx, meeting.id, meeting.stateSequence)
  const invitedKeys = invited.map(({ addressKey }) => addressKey)
  const concerned = guestsToNotify({ ...change, invited: invitedKeys, recipients }, now)
  const addresses = new Map([...recipients, ...invited].map(({ addressKey, email }) => [addressKey, email]))
  const waiting = new Set(recipients.filter(({ isPending }) => isPending).map(({ addressKey }) => addressKey))
  const added = concerned.filter((addressKey) => !waiting.has(addressKey)).length
  if (isRefusable) await requireInvitationsLeft(tx, service, senderId, added, now)
  const guests = concerned.map((addressKey) => ({ addressKey, email: addresses.get(addressKey) ?? addressKey }))
  await queueMails(tx, meeting.id, { senderId, now, guests })
}

/** The people who get an email about a new meeting. */
export function guestsOfNewMeeting(values: MeetingValues, exceptions: Exceptions, now: Date): readonly Address[] {
  const invited = values.participants.map(({ addressKey }) => addressKey)
  const after = seriesOf(values, exceptions)
  const concerned = guestsToNotify({ before: null, after, isContentChanged: true, invited, recipients: [] }, now)
  const keys = new Set(concerned)
  return values.participants.filter(({ addressKey }) => keys.has(addressKey))
}
