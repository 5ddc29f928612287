import { nextReminder, type Reminder } from '@parley/rules/meetings/reminders'
import type { Config } from '../platform/config/config.ts'
import type { Tx } from '../tables/tables.ts'
import { type ScheduleRow, seriesOf } from './meeting-row.ts'

type Reminded = ScheduleRow & { reminderMinutes: number | null }

/** The next reminder that is due after `after`, by the minutes of the meeting or the default of the configuration. */
export const reminderOf = (
  meeting: Reminded,
  skipped: readonly Date[],
  { reminderMinutes }: Config,
  after: Date,
): Reminder | undefined => nextReminder(seriesOf(meeting, skipped), meeting.reminderMinutes ?? reminderMinutes, after)

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

/** After the occurrence `cancelled` was skipped: if the next reminder is for it, move the reminder to the one after. */
export async function moveReminder(
  tx: Tx,
  meeting: Reminded & { id: string },
  skipped: readonly Date[],
  cancelled: Date,
  config: Config,
  now: Date,
): Promise<void> {
  const reminder = await findReminder(tx, meeting.id)
  if (reminder?.occurrence.getTime() !== cancelled.getTime()) return
  await setReminder(tx, meeting.id, reminderOf(meeting, skipped, config, now))
}

const findReminder = (tx: Tx, meetingId: string) =>
  tx.selectFrom('meetingReminder').select('occurrence').where('meetingId', '=', meetingId).executeTakeFirst()
