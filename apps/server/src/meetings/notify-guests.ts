import { guestsToNotify, type NotifiedChange } from '@parley/rules/invitations/guests-to-notify'
import type { Exceptions } from '@parley/rules/recurrence/recurrence'
import type { Actor } from '../access/caller.ts'
import type { Service } from '../access/service.ts'
import type { Tx } from '../platform/database/database.ts'
import { type Address, findRecipients, queueMails } from './guest-delivery.ts'
import { type MeetingRow, seriesOf } from './meeting-row.ts'
import type { MeetingValues } from './meeting-store.ts'

type GuestsChange = Omit<NotifiedChange, 'invited' | 'recipients'> & {
  /** The meeting before the change. */
  meeting: Pick<MeetingRow, 'id' | 'stateSequence'>
  /** The meeting after the change. */
  invited: readonly Address[]
  /** Whether the change is refused if the account that pays has no emails left today. */
  isRefusable: boolean
  /** The time until which the change can be undone: emails about it wait that long. */
  waitUntil?: Date | undefined
}

/**
 * Queue emails to all whose calendars a change makes outdated, in the transaction of the change. The content of an
 * email is decided when it is sent, from what that guest was last sent (docs/decisions/0054).
 * @returns the addresses
 * @throws too_many_invitations
 */
export async function notifyGuests(
  tx: Tx,
  service: Pick<Service, 'config'>,
  actor: Actor,
  { meeting, invited, isRefusable, waitUntil, ...change }: GuestsChange,
  now: Date,
): Promise<ReadonlySet<string>> {
  const recipients = await findRecipients(tx, meeting.id, meeting.stateSequence)
  const invitedKeys = invited.map(({ addressKey }) => addressKey)
  const concerned = guestsToNotify({ ...change, invited: invitedKeys, recipients }, now)
  const addresses = new Map([...recipients, ...invited].map(({ addressKey, email }) => [addressKey, email]))
  const guests = concerned.map((addressKey) => ({ addressKey, email: addresses.get(addressKey) ?? addressKey }))
  await queueMails(tx, service, actor, { meetingId: meeting.id, guests, isRefusable, waitUntil, now })
  return new Set(concerned)
}

/** The people who get an email about a new meeting. */
export function guestsOfNewMeeting(values: MeetingValues, exceptions: Exceptions, now: Date): readonly Address[] {
  const invited = values.participants.map(({ addressKey }) => addressKey)
  const after = seriesOf(values, exceptions)
  const concerned = guestsToNotify({ before: null, after, isContentChanged: true, invited, recipients: [] }, now)
  const keys = new Set(concerned)
  return values.participants.filter(({ addressKey }) => keys.has(addressKey))
}
