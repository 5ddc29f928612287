import { endReplyAddressesOf } from '../access/credentials/reply-addresses.ts'
import type { Database, Tx } from '../platform/database/database.ts'

type Reminded = { meetingId: string; addressKey: string }

/** Lock the reminder that is due first, among those that no other process handles. */
export const lockDueReminder = (tx: Tx, now: Date) =>
  tx
    .selectFrom('meetingReminder')
    .selectAll()
    .where('dueAt', '<=', now)
    .orderBy('dueAt')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

/** Return whether an account exists and is not deleted. */
export async function hasAccount(tx: Tx, accountId: string): Promise<boolean> {
  const found = await tx
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}

/** Find the addresses that opted out of a meeting's reminders. */
export async function findStopped(database: Database, meetingId: string): Promise<ReadonlySet<string>> {
  const rows = await database
    .selectFrom('stoppedReminder')
    .select('emailKey')
    .where('meetingId', '=', meetingId)
    .execute()
  return new Set(rows.map(({ emailKey }) => emailKey))
}

/** Stop the reminders, drop a queued one, and end the guest's reply addresses. */
export async function stopReminders(tx: Tx, { meetingId, addressKey: emailKey }: Reminded, now: Date): Promise<void> {
  await tx
    .insertInto('stoppedReminder')
    .values({ meetingId, emailKey, stoppedAt: now })
    .onConflict((conflict) => conflict.columns(['meetingId', 'emailKey']).doNothing())
    .execute()
  await tx
    .updateTable('guestDelivery')
    .set({ reminderFor: null, reminderId: null })
    .where('meetingId', '=', meetingId)
    .where('emailKey', '=', emailKey)
    .execute()
  await endReplyAddressesOf(tx, { meetingId, emailKey })
}

export const resumeReminders = (database: Database, { meetingId, addressKey }: Reminded) =>
  database.deleteFrom('stoppedReminder').where('meetingId', '=', meetingId).where('emailKey', '=', addressKey).execute()
