import { seriesOf } from '@parley/rules/meetings/read-meeting-request'
import { nextReminder, type Reminder } from '@parley/rules/meetings/reminders'
import { type Exceptions, occurrenceStartingAt } from '@parley/rules/recurrence/recurrence'
import type { Config } from '../platform/config/config.ts'
import type { Tx } from '../platform/database/database.ts'
import type { ScheduleRow } from './meeting-row.ts'

type Reminded = ScheduleRow & { reminderMinutes: number | null }

/** The next reminder that is due after `after`, by the minutes of the meeting or the default of the configuration. */
export const reminderOf = (
  meeting: Reminded,
  exceptions: Exceptions,
  { reminderMinutes }: Config,
  after: Date,
): Reminder | undefined =>
  nextReminder(seriesOf(meeting, exceptions), meeting.reminderMinutes ?? reminderMinutes, after)

/** Replace the meeting's next reminder; undefined removes it. */
export async function setReminder(tx: Tx, meetingId: string, reminder: Reminder | undefined): Promise<void> {
  if (reminder === undefined) {
    await tx.deleteFrom('meetingReminder').where('meetingId', '=', meetingId).execute()
    return
  }
  await tx
    .insertInto('meetingReminder')
    .values({ meetingId, ...reminder })
    .onConflict((conflict) => conflict.column('meetingId').doUpdateSet(reminder))
    .execute()
}

/**
 * After an occurrence was cancelled, changed or restored: find the next reminder anew, unless the reminder that is due
 * now stays as it is.
 */
export async function moveReminder(
  tx: Tx,
  meeting: Reminded & { id: string },
  { before, after }: { before: Exceptions; after: Exceptions },
  config: Config,
  now: Date,
): Promise<void> {
  const reminder = await findReminder(tx, meeting.id)
  const next = reminderOf(meeting, after, config, now)
  const takesPlace = (exceptions: Exceptions) =>
    reminder !== undefined && occurrenceStartingAt(seriesOf(meeting, exceptions), reminder.occurrence) !== undefined
  // A reminder whose time has come is still to be sent, also if another occurrence changes in that minute.
  const isDue = reminder !== undefined && reminder.dueAt <= now && takesPlace(before) && takesPlace(after)
  if (!isDue) await setReminder(tx, meeting.id, next)
}

const findReminder = (tx: Tx, meetingId: string) =>
  tx.selectFrom('meetingReminder').select(['occurrence', 'dueAt']).where('meetingId', '=', meetingId).executeTakeFirst()
