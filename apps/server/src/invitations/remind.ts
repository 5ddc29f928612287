import { nextReminder } from '@parley/rules/meetings/reminders'
import { type Occurrence, occurrenceStartingAt } from '@parley/rules/recurrence/recurrence'
import { addressKey } from '@parley/rules/text/email-address'
import type { Logger } from 'pino'
import { Type } from 'typebox'
import type { WithDatabase } from '../access/service.ts'
import { findExceptions } from '../meetings/exception-store.ts'
import { queueReminders } from '../meetings/guest-delivery.ts'
import { findInvitationsLeft } from '../meetings/invitation-quota.ts'
import { setReminder } from '../meetings/meeting-reminder.ts'
import { type MeetingRow, seriesOf } from '../meetings/meeting-row.ts'
import { findAnyMeeting } from '../meetings/meeting-store.ts'
import { findDeclined } from '../meetings/responses/occurrence-response-store.ts'
import { inTransaction } from '../platform/database/database.ts'
import { defineJob } from '../platform/jobs/define-job.ts'
import type { Tx } from '../tables/tables.ts'
import { findStopped } from './reminder-stop/stopped-reminder-store.ts'

export const remindJob = defineJob('remind-of-meetings', Type.Unknown())

/** A meeting of a thousand people takes a tenth of a second; a small batch keeps locks short. */
const maxAtOnce = 20

type Dependencies = Pick<WithDatabase, 'database' | 'clock' | 'config'> & { log: Logger }

/**
 * Queue due reminders, and move each meeting on to its next one in the same transaction: exactly once, whichever
 * process dies and however many run this. Reminders that were missed while no instance ran are sent as long as the date
 * is still ahead.
 */
export function createRemindTask(dependencies: Dependencies) {
  return remindJob.handle(async () => {
    let claimed: number
    do claimed = await inTransaction(dependencies.database, (tx) => remindOfSome(tx, dependencies))
    while (claimed > 0)
  })
}

async function remindOfSome(tx: Tx, dependencies: Dependencies): Promise<number> {
  const now = dependencies.clock.now()
  const due = await tx
    .selectFrom('meetingReminder')
    .selectAll()
    .where('dueAt', '<=', now)
    .orderBy('dueAt')
    .limit(maxAtOnce)
    .forUpdate()
    .skipLocked()
    .execute()
  for (const { meetingId, occurrence, dueAt } of due) {
    const meeting = await findAnyMeeting(tx, meetingId)
    if (meeting === undefined) continue
    const series = seriesOf(meeting, await findExceptions(tx, meetingId))
    const found = occurrenceStartingAt(series, occurrence)
    if (found !== undefined && occurrence > now && meeting.cancelledAt === null) {
      await remind(tx, dependencies, meeting, found, now)
    }
    const minutes = meeting.reminderMinutes ?? dependencies.config.reminderMinutes
    // Reminders of dates that have begun are dropped; those of future dates are sent one after the other.
    const passed = new Date(Math.max(dueAt.getTime(), now.getTime() - minutes * 60_000))
    await setReminder(tx, meetingId, meeting.cancelledAt === null ? nextReminder(series, minutes, passed) : undefined)
  }
  return due.length
}

/**
 * Remind the host, and all guests and cohosts who have not declined this date, except addresses that opted out of this
 * meeting's reminders. A series with a thousand strangers must not mail them every day for ever: reminders count with
 * the host's invitations, and beyond the limit only the host is reminded.
 */
async function remind(
  tx: Tx,
  dependencies: Dependencies,
  meeting: MeetingRow,
  { originalStart, startsAt }: Occurrence,
  now: Date,
) {
  const { host, people } = meeting
  const stopped = await findStopped(tx, meeting.id)
  const isReminded = (person: { addressKey: string }) => !stopped.has(person.addressKey)
  const declined = await findDeclined(tx, meeting.id, originalStart)
  const willing = people.filter((person) => !declined.has(person.addressKey) && isReminded(person))
  const { left } = await findInvitationsLeft(tx, dependencies, host.id, now)
  const guests = willing.length < left ? willing : []
  if (guests.length < willing.length) {
    dependencies.log.warn(
      { meetingId: meeting.id, guests: willing.length },
      'guests are not reminded: too many mails a day',
    )
  }
  const hosts = [{ addressKey: addressKey(host.email), email: host.email }].filter(isReminded)
  await queueReminders(tx, meeting.id, startsAt, [...hosts, ...guests])
}
