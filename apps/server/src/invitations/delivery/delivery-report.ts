import type { InvitationEmailKind } from '@parley/rules/invitations/invitation-changes'
import { sql } from 'kysely'
import { recordMeetingEvent } from '../../event-log/record-event.ts'
import type { DeliveryKey } from '../../meetings/guest-mail-queue.ts'
import { type Database, inTransaction, type Tx } from '../../platform/database/database.ts'
import { defineStatement, defineStatementVariants } from '../../platform/database/define-statement.ts'
import { tables } from '../../platform/database/tables.ts'
import type { MailedMeeting } from './mailed-meeting-store.ts'

type Flag = 'invitationMailed' | 'reminderMailed' | 'cancellationMailed'

/** The flag of the meeting's `notificationsSend` that a mail sets. Removing one person sets none. */
const flags: Record<InvitationEmailKind, Flag | undefined> = {
  invitation: 'invitationMailed',
  update: 'invitationMailed',
  cancellation: 'cancellationMailed',
  removal: undefined,
  'occurrence-cancellation': 'cancellationMailed',
  'occurrence-update': 'invitationMailed',
  'series-end': 'cancellationMailed',
  'series-continued': 'invitationMailed',
  reminder: 'reminderMailed',
  'answer-request': 'invitationMailed',
}

/** Return whether the meeting already shows that such a mail was sent, so that its rows need no update. */
export function isReported(meeting: MailedMeeting, kind: InvitationEmailKind): boolean {
  const flag = flags[kind]
  const isFlagged = flag === undefined || meeting[flag]
  return isFlagged && meeting.mailFailedAt === null && meeting.mailDelayedUntil === null
}

const columns = {
  invitationMailed: sql`invitation_mailed`,
  reminderMailed: sql`reminder_mailed`,
  cancellationMailed: sql`cancellation_mailed`,
}

/** The meeting's row is written once, not with each mail, and its version does not change. */
const flagStatement = defineStatementVariants({
  name: 'report-mail',
  dimensions: { flag: ['invitationMailed', 'reminderMailed', 'cancellationMailed'] },
  parameters: { meetingId: tables.participant.meetingId },
  text: (p, { flag }) =>
    sql`update meeting set ${columns[flag]} = true where id = ${p.meetingId} and not ${columns[flag]}`,
})

const reachedStatement = defineStatement({
  name: 'report-guest-reached',
  parameters: { meetingId: tables.participant.meetingId, addressKey: 'text' },
  text: (p) => sql`update participant set mail_failed_at = null, mail_delayed_until = null
  where meeting_id = ${p.meetingId} and email_key = ${p.addressKey}
    and (mail_failed_at is not null or mail_delayed_until is not null)`,
})

/**
 * Record in the meeting that a mail was accepted. Idempotent; waits for transactions that hold these rows. Each change
 * is a statement of its own, so that none holds one row while waiting for another.
 */
export async function reportSent(
  database: Database,
  { meetingId, addressKey }: DeliveryKey,
  kind: InvitationEmailKind,
): Promise<void> {
  const flag = flags[kind]
  if (flag !== undefined) await flagStatement({ flag }).execute(database, { meetingId })
  await reachedStatement.execute(database, { meetingId, addressKey })
  await database
    .updateTable('guestDelivery')
    .set({ unreported: null })
    .where('meetingId', '=', meetingId)
    .where('emailKey', '=', addressKey)
    .where('unreported', '=', kind)
    .execute()
}

/** Record that delivery was given up; the host sees the address. */
export const reportFailed = (database: Database, { meetingId, addressKey }: DeliveryKey, now: Date): Promise<void> =>
  inTransaction(database, async (tx) => {
    const shown = { mailFailedAt: now, mailDelayedUntil: null }
    // No row: the person is no longer in the meeting, and the host sees no failure.
    for (const { email } of await reportOn(tx, { meetingId, addressKey }, shown)) {
      const event = { type: 'invitation.failed' as const, meetingId, more: { email }, now }
      await recordMeetingEvent(tx, { ...event, actingGrantId: null })
    }
  })

/** Record that the daily limits delay the delivery; the host sees until when. */
export const reportDelayed = (database: Database, { meetingId, addressKey }: DeliveryKey, until: Date) =>
  reportOn(database, { meetingId, addressKey }, { mailDelayedUntil: until })

/** Record that nothing is delayed any more, because nothing will be sent. */
export const reportNotDelayed = (tx: Tx, key: DeliveryKey) => reportOn(tx, key, { mailDelayedUntil: null })

const reportOn = (
  database: Database,
  { meetingId, addressKey }: DeliveryKey,
  shown: { mailFailedAt?: Date; mailDelayedUntil: Date | null },
) =>
  database
    .updateTable('participant')
    .set(shown)
    .where('meetingId', '=', meetingId)
    .where('emailKey', '=', addressKey)
    .returning('email')
    .execute()
