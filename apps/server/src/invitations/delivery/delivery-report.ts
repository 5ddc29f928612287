import type { InvitationEmailKind } from '@parley/rules/invitations/invitation-changes'
import type { DeliveryName } from '../../meetings/guest-delivery.ts'
import { statement } from '../../platform/database/database.ts'
import type { Database } from '../../tables/tables.ts'
import type { MeetingForDelivery } from './delivery-store.ts'

type Flag = 'invitationMailed' | 'reminderMailed' | 'cancellationMailed'

/** Which of the meeting's `notificationsSend` a mail turns true. That one person is left out cancels nothing. */
const flags: Record<InvitationEmailKind, Flag | undefined> = {
  invitation: 'invitationMailed',
  update: 'invitationMailed',
  cancellation: 'cancellationMailed',
  removal: undefined,
  'occurrence-cancellation': 'cancellationMailed',
  'series-end': 'cancellationMailed',
  reminder: 'reminderMailed',
}

/** Whether the meeting shows already what a mail of this kind changes in it, so that its rows are left alone. */
export function isReported(meeting: MeetingForDelivery, kind: InvitationEmailKind): boolean {
  const flag = flags[kind]
  const isFlagged = flag === undefined || meeting[flag]
  return isFlagged && meeting.mailFailedAt === null && meeting.mailDelayedUntil === null
}

/** One statement a flag. The meeting's row is written once, not with each mail, and its version stays. */
const flagStatements = new Map(
  (['invitation_mailed', 'reminder_mailed', 'cancellation_mailed'] as const).map((column) => [
    column,
    statement('report-mail', `update meeting set ${column} = true where id = $1 and not ${column}`),
  ]),
)
const columns = {
  invitationMailed: 'invitation_mailed',
  reminderMailed: 'reminder_mailed',
  cancellationMailed: 'cancellation_mailed',
} as const

const reachedStatement = statement(
  'report-guest-reached',
  `update participant set mail_failed_at = null, mail_delayed_until = null
  where meeting_id = $1 and email_key = $2 and (mail_failed_at is not null or mail_delayed_until is not null)`,
)

/**
 * Shows with the meeting that a mail was accepted. May be done again, and waits for changes that hold these rows: each is
 * a statement of its own, so that none of them waits while it holds another.
 */
export async function reportSent(
  database: Database,
  { meetingId, addressKey }: DeliveryName,
  kind: InvitationEmailKind,
): Promise<void> {
  const flag = flags[kind]
  if (flag !== undefined) await flagStatements.get(columns[flag])?.(database, [meetingId])
  await reachedStatement(database, [meetingId, addressKey])
  await database
    .updateTable('guestDelivery')
    .set({ unreported: null })
    .where('meetingId', '=', meetingId)
    .where('emailKey', '=', addressKey)
    .where('unreported', '=', kind)
    .execute()
}

/** Given up: the host sees which address it was. */
export const reportFailed = (database: Database, { meetingId, addressKey }: DeliveryName, now: Date) =>
  reportOn(database, { meetingId, addressKey }, { mailFailedAt: now, mailDelayedUntil: null })

/** Held back by the daily limits: the host sees until when. */
export const reportDelayed = (database: Database, { meetingId, addressKey }: DeliveryName, until: Date) =>
  reportOn(database, { meetingId, addressKey }, { mailDelayedUntil: until })

const reportOn = (
  database: Database,
  { meetingId, addressKey }: DeliveryName,
  shown: { mailFailedAt?: Date; mailDelayedUntil: Date | null },
) =>
  database
    .updateTable('participant')
    .set(shown)
    .where('meetingId', '=', meetingId)
    .where('emailKey', '=', addressKey)
    .execute()
