import type { InvitationEmailKind } from '@parley/rules/invitations/invitation-changes'
import { sql } from 'kysely'
import type { ChargedAccount } from '../../access/caller.ts'
import type { DeliveryKey } from '../../meetings/guest-delivery.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { defineStatement, type RowOf } from '../../platform/database/define-statement.ts'
import { tables, typed } from '../../platform/database/tables.ts'
import { deliveryKey, ofDelivery } from './delivery-key.ts'

/** The delivery row of one meeting and one address. */
export type DeliveryRow = RowOf<typeof deliveryTypes>

const deliveryTypes = {
  email: 'text',
  /** The number of the meeting's state that the guest's calendar has; null before the first mail. */
  confirmedSequence: 'integer?',
  pending: 'boolean',
  /** Counts the changes that are to be mailed to this guest. */
  revision: 'integer',
  /** Whose limits the pending mail uses up. */
  charged: typed<ChargedAccount>('uuid?'),
  reminderFor: 'timestamptz?',
  reminderId: 'uuid?',
  /** Whose limits the reminder uses up; null for a host's own. */
  reminderCharged: typed<ChargedAccount>('uuid?'),
  lastMailAt: 'timestamptz?',
  /** The pending change can be undone until then. */
  waitUntil: 'timestamptz?',
  failingSince: 'timestamptz?',
  jobId: typed<string | number>('bigint?'),
  /** The kind of a mail that was sent and that the meeting's row does not record yet. */
  unreported: typed<InvitationEmailKind>('text?'),
  /** Whether to send the invitation even if the guest's calendar is up to date. */
  resend: 'boolean',
} as const

const lockStatement = defineStatement({
  name: 'lock-delivery',
  parameters: deliveryKey,
  columns: deliveryTypes,
  text: (p) => sql`select email, held_sequence as confirmed_sequence, pending, revision, sender_id as charged,
    reminder_for, reminder_id, reminder_sender_id as reminder_charged, last_mail_at, wait_until,
    failing_since, job_id, unreported, resend
  from guest_delivery where ${ofDelivery(p)} for update`,
})

export async function lockDelivery(tx: Tx, { meetingId, addressKey }: DeliveryKey): Promise<DeliveryRow | undefined> {
  const [found] = await lockStatement.execute(tx, { meetingId, addressKey })
  return found
}

const failingStatement = defineStatement({
  name: 'mark-delivery-failing',
  parameters: { ...deliveryKey, now: 'timestamptz' },
  columns: { failingSince: tables.guestDelivery.failingSince },
  text: (p) => sql`update guest_delivery set failing_since = coalesce(failing_since, ${p.now}) where ${ofDelivery(p)}
  returning failing_since`,
})

/** Record a failure; returns since when mails to this guest have failed. */
export async function markFailing(
  database: Database,
  { meetingId, addressKey }: DeliveryKey,
  now: Date,
): Promise<Date> {
  const [failing] = await failingStatement.execute(database, { meetingId, addressKey, now })
  return failing?.failingSince ?? now
}

const clearPendingStatement = defineStatement({
  name: 'clear-pending-delivery',
  parameters: { ...deliveryKey, revision: tables.guestDelivery.revision },
  text: (p) => sql`update guest_delivery set pending = pending and revision <> ${p.revision},
    resend = resend and revision <> ${p.revision}, job_id = null,
    failing_since = case when not pending or revision <> ${p.revision} then failing_since end
  where ${ofDelivery(p)}`,
})

/** Clear a pending change that needs no mail, unless a newer one came after `revision`. */
export async function clearPending(tx: Tx, { meetingId, addressKey }: DeliveryKey, revision: number) {
  await clearPendingStatement.execute(tx, { meetingId, addressKey, revision })
}

const giveUpStatement = defineStatement({
  name: 'give-up-delivery',
  parameters: { ...deliveryKey, revision: tables.guestDelivery.revision },
  text: (p) => sql`update guest_delivery set pending = pending and revision <> ${p.revision},
    resend = resend and revision <> ${p.revision}
  where ${ofDelivery(p)}`,
})

/** Give up the pending mail. The next change mails this guest everything that is missing by then. */
export async function giveUp(database: Database, { meetingId, addressKey }: DeliveryKey, revision: number) {
  await giveUpStatement.execute(database, { meetingId, addressKey, revision })
}

/** Drop a reminder that is obsolete or has failed. */
export const dropReminder = (database: Database, { meetingId, addressKey }: DeliveryKey, date: Date) =>
  database
    .updateTable('guestDelivery')
    .set({ reminderFor: null, reminderId: null })
    .where('meetingId', '=', meetingId)
    .where('emailKey', '=', addressKey)
    .where('reminderFor', '=', date)
    .execute()

/** End the job and keep what is pending. */
export const release = (database: Database, { meetingId, addressKey }: DeliveryKey) =>
  database
    .updateTable('guestDelivery')
    .set({ jobId: null })
    .where('meetingId', '=', meetingId)
    .where('emailKey', '=', addressKey)
    .execute()
