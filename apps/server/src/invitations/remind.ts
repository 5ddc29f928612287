import { seriesOf } from '@parley/rules/meetings/meeting-request'
import { nextReminder } from '@parley/rules/meetings/reminders'
import { type Occurrence, occurrenceStartingAt } from '@parley/rules/recurrence/recurrence'
import { addressKey } from '@parley/rules/text/email-address'
import type { Logger } from 'pino'
import { Type } from 'typebox'
import { serviceActorFor } from '../access/caller.ts'
import type { WithDatabase } from '../access/service.ts'
import { findExceptions } from '../meetings/exception-store.ts'
import { listRemindableGuests, queueHostReminder, queueReminders } from '../meetings/guest-delivery.ts'
import { setReminder } from '../meetings/meeting-reminder.ts'
import type { MeetingRow } from '../meetings/meeting-row.ts'
import { findAnyMeeting } from '../meetings/meeting-store.ts'
import { findDeclined } from '../meetings/occurrence-response-store.ts'
import { inTransaction, type Tx } from '../platform/database/database.ts'
import { defineJob } from '../platform/jobs/define-job.ts'
import { findStopped } from './reminder-stop/stopped-reminder-store.ts'

export const remindJob = defineJob('remind-of-meetings', Type.Unknown())

type Dependencies = Pick<WithDatabase, 'database' | 'clock' | 'config'> & { log: Logger }

/**
 * Queue due reminders, and move each meeting on to its next one in the same transaction: exactly once, whichever
 * process dies and however many run this. Reminders that were missed while no instance ran are sent as long as the date
 * is still ahead.
 */
export function createRemindTask(dependencies: Dependencies) {
  return remindJob.handle(async () => {
    while (await inTransaction(dependencies.database, (tx) => remindOfNext(tx, dependencies)));
  })
}

/** Remind of one meeting: a transaction with several would lock the accounts that pay in any order. */
async function remindOfNext(tx: Tx, dependencies: Dependencies): Promise<boolean> {
  const now = dependencies.clock.now()
  const due = await tx
    .selectFrom('meetingReminder')
    .selectAll()
    .where('dueAt', '<=', now)
    .orderBy('dueAt')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (due === undefined) return false
  const { meetingId, occurrence, dueAt } = due
  const meeting = await findAnyMeeting(tx, meetingId)
  if (meeting === undefined) {
    await setReminder(tx, meetingId, undefined)
    return true
  }
  const series = seriesOf(meeting, await findExceptions(tx, meetingId))
  const found = occurrenceStartingAt(series, occurrence)
  if (found !== undefined && occurrence > now && meeting.cancelledAt === null) {
    await remind(tx, dependencies, meeting, found, now)
  }
  const minutes = meeting.reminderMinutes ?? dependencies.config.reminderMinutes
  // Reminders of dates that have begun are dropped; those of future dates are sent one after the other.
  const passed = new Date(Math.max(dueAt.getTime(), now.getTime() - minutes * 60_000))
  await setReminder(tx, meetingId, meeting.cancelledAt === null ? nextReminder(series, minutes, passed) : undefined)
  return true
}

/**
 * Remind the host, and all guests and cohosts who have not declined this date, except addresses that opted out of this
 * meeting's reminders, and those who do not know of the meeting. A series with a thousand strangers must not mail them
 * every day for ever: reminders count with the invitations of the account that invited the guest, and beyond its limit
 * only the host is reminded.
 */
async function remind(
  tx: Tx,
  dependencies: Dependencies,
  meeting: MeetingRow,
  { originalStart, startsAt: date }: Occurrence,
  now: Date,
) {
  const { id: meetingId, host } = meeting
  const stopped = await findStopped(tx, meetingId)
  const declined = await findDeclined(tx, meetingId, originalStart)
  const guests = await listRemindableGuests(tx, meetingId)
  // In one order, so that two transactions that lock the same accounts do not deadlock.
  for (const [chargedId, invited] of [...guests].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const people = invited.filter(({ addressKey }) => !declined.has(addressKey) && !stopped.has(addressKey))
    if (people.length === 0) continue
    const actor = serviceActorFor(host, chargedId)
    if (await queueReminders(tx, dependencies, actor, { meetingId, date, people, now })) continue
    dependencies.log.warn({ meetingId, guests: people.length }, 'guests are not reminded: too many mails a day')
  }
  const hostKey = addressKey(host.email)
  const hosting = tx.selectFrom('account').select('id').where('id', '=', host.id).where('deletedAt', 'is', null)
  // A meeting that a deleted account offers to its cohosts takes place without its host.
  if (!stopped.has(hostKey) && (await hosting.executeTakeFirst()) !== undefined) {
    await queueHostReminder(tx, { meetingId, date, now, host: { addressKey: hostKey, email: host.email } })
  }
}
